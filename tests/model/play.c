/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "play_run.h"
#include <unistd.h>

/* Plays scripts from the standard input and prints what happened. One that the kernel cannot take ends it. */
enum { SECONDS_PER_SCRIPT = 10 };

int main(void)
{
    static struct script script;
    static char buffer[1 << 16];

    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    while (script_read(stdin, &script, play_find)) {
        (void)alarm(SECONDS_PER_SCRIPT);
        play_script(&script, stdout);
        (void)fflush(stdout);
    }
    return 0;
}
