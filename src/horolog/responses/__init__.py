# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a system holds its deadlines on its board: what it asks of the processor, and the bounds."""

from horolog.responses.analysis import (
    PARTS,
    Analysis,
    TaskBound,
    analysis_of,
    factor_of,
    sensitivity_of,
)
from horolog.responses.cells import EARLY_COUNTS
from horolog.responses.chains import ChainBound, chain_data, chains_of, refuse_chains
from horolog.responses.core_plans import (
    CoreBounds,
    bounds_of_cores,
    chains_of_cores,
    deadlines_of_cores,
    on_core,
    overhead_of_cores,
    refuse_core_misses,
)
from horolog.responses.demand_of import Demanded, demand_of
from horolog.responses.kernel import BODY_STEPS
from horolog.responses.offsets import OffsetFigures, Offsets, choose_offsets, offsets_to_data
from horolog.responses.rounds import RoundLeft, round_data, round_text, rounds_left
from horolog.responses.slack import Slack, plan_for, slack_of, slack_text
from horolog.responses.suggestions import suggestions
from horolog.responses.telling import (
    MEANING,
    deadlines_of,
    impossible_text,
    ms_text,
    refuse_misses,
    to_data,
    verdict_text,
    why_text,
)
from horolog.responses.ways_out import Asked, Way, Ways, way_to_data, ways_out

__all__ = [
    "BODY_STEPS",
    "MEANING",
    "EARLY_COUNTS",
    "PARTS",
    "Analysis",
    "Asked",
    "Demanded",
    "TaskBound",
    "ChainBound",
    "OffsetFigures",
    "Offsets",
    "RoundLeft",
    "Slack",
    "Way",
    "Ways",
    "analysis_of",
    "CoreBounds",
    "bounds_of_cores",
    "deadlines_of_cores",
    "on_core",
    "overhead_of_cores",
    "chain_data",
    "chains_of",
    "chains_of_cores",
    "choose_offsets",
    "deadlines_of",
    "demand_of",
    "factor_of",
    "impossible_text",
    "ms_text",
    "offsets_to_data",
    "plan_for",
    "refuse_chains",
    "refuse_core_misses",
    "refuse_misses",
    "round_data",
    "round_text",
    "rounds_left",
    "sensitivity_of",
    "suggestions",
    "slack_of",
    "slack_text",
    "to_data",
    "verdict_text",
    "way_to_data",
    "ways_out",
    "why_text",
]
