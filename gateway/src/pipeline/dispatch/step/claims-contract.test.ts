/**
 * The claims of the model are those of PostgreSQL: every operation has the same result and leaves the same row, in every
 * state that up to two operations lead to.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryClaims } from '../../../../test/model/dispatch/memory-claims.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJobs, attempt, recordJobs, routeId } from '../../../../test/support/fixtures.ts'
import type { StepKey } from '../../../jobs/step-key.ts'
import { recordAttempts } from '../../../records/attempts/attempts.ts'
import {
  claimSteps,
  pinClaims,
  returnClaims,
  takeOverClaim,
  type StepClaim,
} from '../../../records/messages/claim.ts'

const { database } = await createTestDatabase()

interface Operation {
  readonly label: string
  readonly inMemory: (claims: MemoryClaims, key: StepKey) => unknown
  readonly inPostgres: (key: StepKey) => Promise<unknown>
}

function withClaim(
  label: string,
  claim: Omit<StepClaim, keyof StepKey>,
  inMemory: (claims: MemoryClaims, claim: StepClaim) => unknown,
  inPostgres: (claim: StepClaim) => Promise<unknown>,
): Operation {
  return {
    label: `${label} ${JSON.stringify(claim)}`,
    inMemory: (claims, key) => inMemory(claims, { ...key, ...claim }),
    inPostgres: (key) => inPostgres({ ...key, ...claim }),
  }
}

const claims = [{ token: 1 }, { token: 2, repeatableOn: routeId }, { token: 3, repeatableOn: 'south' }]
const operations: readonly Operation[] = [
  ...claims.flatMap((claim) => [
    withClaim(
      'claim',
      claim,
      (memory, stepClaim) => memory.claim(stepClaim),
      async (stepClaim) => (await claimSteps(database, [stepClaim]))[0],
    ),
    withClaim(
      'return',
      claim,
      (memory, stepClaim) => memory.returnClaim(stepClaim),
      (stepClaim) => returnClaims(database, [stepClaim]),
    ),
    withClaim(
      'keep',
      claim,
      (memory, stepClaim) => memory.keep(stepClaim),
      async (stepClaim) => (await pinClaims(database, [stepClaim])).length === 0,
    ),
  ]),
  ...[routeId, 'south'].map((repeatableOn) =>
    withClaim(
      'take over',
      { token: 4, repeatableOn },
      (memory, stepClaim) => memory.takeOver(stepClaim),
      (stepClaim) => takeOverClaim(database, stepClaim),
    ),
  ),
  ...(['unknown', 'accepted', 'refused'] as const).map((outcome) => ({
    label: `record ${outcome}`,
    inMemory: (memory: MemoryClaims) => memory.record([{ part: 1, outcome }]),
    inPostgres: (key: StepKey) => recordAttempts(database, [attempt(key, { outcome })]),
  })),
  {
    label: 'end',
    inMemory: (memory) => void (memory.row = null),
    inPostgres: async ({ msgKey }) =>
      void (await database.query('delete from in_flight where msg_key = $1', [msgKey])),
  },
]

/** Returns a path to every state of up to two operations, each followed by every operation. */
function findPaths(): Operation[][] {
  const known = new Set<string>()
  let paths: Operation[][] = [[]]
  const longer: Operation[][] = []
  for (let length = 0; length < 3; length++) {
    paths = paths.flatMap((path) => operations.map((operation) => [...path, operation]))
    longer.push(...paths)
    paths = paths.filter((path) => {
      const memory = new MemoryClaims()
      for (const { inMemory } of path) inMemory(memory, { msgKey: '', step: 1, try: 1 })
      const state = describe(memory)
      return !known.has(state) && known.add(state)
    })
  }
  return longer
}

const describe = ({ row, outcomes }: MemoryClaims): string => JSON.stringify([row, [...outcomes]])

async function readRow({ msgKey }: StepKey): Promise<string> {
  const found = await database.query<{ row: MemoryClaims['row'] }>(
    `select jsonb_build_object('state', state, 'token', claim_token, 'route', claim_route,
                               'fenced', coalesce(to_jsonb(fenced_tokens), '[]')) as row
       from in_flight where msg_key = $1`,
    [msgKey],
  )
  const attempts = await database.query<{ part: number; outcome: string }>(
    'select part, outcome from attempts where msg_key = $1 order by part',
    [msgKey],
  )
  const row = found.rows[0]?.row
  const ordered = row && { state: row.state, token: row.token, route: row.route, fenced: row.fenced }
  return JSON.stringify([ordered ?? null, attempts.rows.map(({ part, outcome }) => [part, outcome])])
}

async function compare(path: readonly Operation[], key: StepKey): Promise<void> {
  const memory = new MemoryClaims()
  const results: [unknown, unknown][] = []
  for (const { inMemory, inPostgres } of path)
    results.push([inMemory(memory, key) ?? null, (await inPostgres(key)) ?? null])
  const labels = path.map(({ label }) => label).join('; ')
  for (const [expected, actual] of results) assert.equal(actual, expected, labels)
  assert.equal(await readRow(key), describe(memory), labels)
}

test('the claims of the model have the results and rows of PostgreSQL', { timeout: 120_000 }, async (t) => {
  const paths = findPaths()
  const keys = await recordJobs(database, acceptedJobs(paths.length))
  const next = paths.entries()
  const work = async (): Promise<void> => {
    for (const [index, path] of next) await compare(path, keys[index]!)
  }
  await Promise.all(Array.from({ length: 8 }, work))
  t.diagnostic(`${paths.length} sequences of operations`)
})
