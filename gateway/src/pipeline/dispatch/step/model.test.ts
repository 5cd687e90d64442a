/**
 * Every schedule of two or three owners of a route and a message of two parts, through the real transitions: no part is
 * submitted twice, the step ends once, and nothing is stuck, whatever fails in between.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explore } from '../../../../test/model/dispatch/explore.ts'
import { DispatchWorld, type Scenario } from '../../../../test/model/dispatch/world.ts'
import { transitions } from './states.ts'

const answers = ['throttled', 'unreachable', 'unknown', 'refused'] as const
const faults = ['crash', 'lost reply', 'cut off', 'lost subscription'] as const
const oneSetback = { answers: ['throttled'], maxSetbacks: 1, faults: ['crash', 'cut off'] } as const
const scenarios: Readonly<Record<string, Scenario>> = {
  'every answer and every fault': { answers, maxSetbacks: 1, faults, events: ['handover'] },
  'two setbacks and a crash': { answers, maxSetbacks: 2, faults: ['crash'], events: ['handover'] },
  'two setbacks and a loss of PostgreSQL': {
    answers: ['throttled'],
    maxSetbacks: 2,
    faults: ['cut off', 'lost reply'],
    events: ['handover'],
  },
  'two faults': { answers: [], maxSetbacks: 0, faults, maxFaults: 2, events: [] },
  'two faults, where the carrier recognizes repeats': {
    isRepeatable: true,
    answers: [],
    maxSetbacks: 0,
    faults,
    maxFaults: 2,
    events: [],
  },
  'repeats of unknown and refused parts': {
    isRepeatable: true,
    answers: ['unknown', 'refused'],
    maxSetbacks: 2,
    faults: ['crash', 'cut off', 'lost subscription'],
    events: ['handover'],
  },
  'a deadline': { ...oneSetback, answers: ['unreachable'], events: ['deadline', 'handover'] },
  'a rule that refuses': { ...oneSetback, events: ['refusing rule'] },
  'a rule that delays': { ...oneSetback, events: ['delaying rule'] },
  'a route that is closed': { ...oneSetback, events: ['closing'] },
  'a move to another route': { ...oneSetback, events: ['moving'] },
  'a broker delivery that is held for too long': { ...oneSetback, events: ['overdue'] },
}

const taken = new Set<string>()

for (const [name, scenario] of Object.entries(scenarios)) {
  test(`no part is submitted twice and no step is lost: ${name}`, async (t) => {
    const { schedules, situations } = await explore(
      () => new DispatchWorld(scenario, (from, to) => taken.add(`${from} to ${to}`)),
    )
    t.diagnostic(`${schedules} schedules, ${situations} situations`)
    assert.ok(schedules > 100)
  })
}

test('the schedules take every listed transition', () => {
  const listed = Object.entries(transitions).flatMap(([from, next]) => next.map((to) => `${from} to ${to}`))
  assert.deepEqual([...taken].sort(), listed.sort())
})
