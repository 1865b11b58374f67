/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "slot_map.h"
#include "with_cmocka.h"
#include <stdbool.h>

static uint32_t plain_next(const bool *occupied, uint32_t from)
{
    while (!occupied[from]) {
        from = (from + 1) % HRLI_SLOT_MAP_SLOTS;
    }
    return from;
}

static void test_next_is_the_next_round_the_end(void **state)
{
    struct hrli_slot_map map;
    struct random random = {3};
    bool occupied[HRLI_SLOT_MAP_SLOTS] = {false};
    uint32_t count = 0;

    (void)state;
    hrli_slot_map_init(&map);
    for (int i = 0; i < 100000; i++) {
        uint32_t slot = random_below(&random, HRLI_SLOT_MAP_SLOTS);

        if (occupied[slot] || count > 6) { /* few, so that whole words are empty */
            slot = plain_next(occupied, slot);
            hrli_slot_map_clear(&map, slot);
            occupied[slot] = false;
            count--;
        } else {
            hrli_slot_map_set(&map, slot);
            occupied[slot] = true;
            count++;
        }
        assert_int_equal(map.words == 0, count == 0);
        if (count != 0) {
            uint32_t from = random_below(&random, HRLI_SLOT_MAP_SLOTS);

            assert_int_equal(hrli_slot_map_next(&map, from), plain_next(occupied, from));
            assert_int_equal(hrli_slot_map_next(&map, slot), plain_next(occupied, slot));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_next_is_the_next_round_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
