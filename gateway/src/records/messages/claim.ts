/**
 * Claims: the intent to submit a step, made durable before the carrier receives it. After a crash a claimed
 * step without a recorded attempt can have been submitted: it is `unknown` and never submitted again blindly.
 * A step that is not claimed was certainly not submitted.
 *
 * A claim has a token, so that a statement whose reply was lost can be repeated: a committed claim is granted
 * again to the same token and to no other, a repeated return does not return the claim of a successor, and a
 * returned token is not granted again.
 */
import { randomInt } from 'node:crypto'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { inKeyOrder, stepId, type StepKey } from '../../jobs/step-key.ts'

export interface StepClaim extends StepKey {
  readonly token: number
  /**
   * The route, if its carrier recognizes a repeated submission: the next owner of the route can then take
   * over the claim.
   */
  readonly repeatableOn?: string | undefined
  /**
   * The beginning of the digest of the login by which the step is submitted, if it is known. A route can be given another one while the
   * submission is open; that carrier must not be asked about it.
   */
  readonly login?: string | undefined
}

/** Two claims of one step have the same token with a probability of 1 in 2.8e14. */
const tokens = 2 ** 48 - 1

/** Creates a claim for one submission. A token that was returned is not granted again. */
export function createClaim(
  { msgKey, step, try: nth }: StepKey,
  repeatableOn?: string,
  login?: string,
): StepClaim {
  return { msgKey, step, try: nth, token: randomInt(tokens), repeatableOn, login }
}

export type StepClaimResult =
  /** The caller submits the step. */
  | 'claimed'
  /** Another claim holds the step, and no attempt is recorded. */
  | 'unanswered'
  /**
   * Another claim holds the step, and an attempt is recorded, possibly `unknown`, or the same process is
   * about to record one.
   */
  | 'answered'
  /** The message is closed, another step or try is current, or the claim is fenced. */
  | 'stale'

export async function claimSteps(
  database: Queryable,
  claims: readonly StepClaim[],
): Promise<StepClaimResult[]> {
  const numbered = inKeyOrder(claims.map((claim, n) => ({ ...claim, n })))
  const rows = await queryBulk<{ n: number }>(database, {
    name: 'claim-steps',
    text: `update in_flight f set state = 'claimed', claim_token = k.token, claim_route = k.route, claim_login = k.login
             from unnest($1::text[], $2::smallint[], $3::smallint[], $4::bigint[], $5::text[], $6::text[], $7::int[])
               as k (msg_key, step, try, token, route, login, n)
            where f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try
              and (f.state = 'unclaimed' or f.claim_token = k.token)
              and (f.fenced_tokens is null or k.token <> all (f.fenced_tokens))
           returning k.n`,
    columns: columns(numbered, (claim) => [
      ...toValues(claim),
      claim.repeatableOn ?? null,
      claim.login ?? null,
      claim.n,
    ]),
  })
  const results = new Array<StepClaimResult | undefined>(claims.length)
  for (const { n } of rows) results[n] = 'claimed'
  if (rows.length < claims.length) await explainLost(database, claims, results)
  return results as StepClaimResult[]
}

/**
 * Fills in why the other claims were not granted. Claims again the steps that were returned in the meantime.
 */
async function explainLost(
  database: Queryable,
  claims: readonly StepClaim[],
  results: (StepClaimResult | undefined)[],
): Promise<void> {
  const claimedHere = new Set(claims.filter((_, n) => results[n] !== undefined).map(stepId))
  const lost: number[] = []
  for (const [n, claim] of claims.entries()) {
    if (results[n] !== undefined) continue
    // One of two claims of one step in one batch wins; the same process records the outcome.
    if (claimedHere.has(stepId(claim))) results[n] = 'answered'
    else lost.push(n)
  }
  const states = await readStepStates(
    database,
    lost.map((n) => claims[n]!),
  )
  // Their holders have returned them since the first statement, and the jobs of these claims can be the only
  // ones left.
  const returned = lost.filter((_, index) => states[index] === 'unclaimed')
  const again =
    returned.length === 0
      ? []
      : await claimSteps(
          database,
          returned.map((n) => claims[n]!),
        )
  for (const [index, n] of lost.entries()) {
    const state = states[index]!
    results[n] = state === 'unclaimed' ? again[returned.indexOf(n)] : state
  }
}

/** Returns the result that a new claim of each step would have, without claiming it: `unclaimed` if it would be granted. */
export async function readStepStates(
  database: Queryable,
  keys: readonly (StepKey & Partial<Pick<StepClaim, 'token'>>)[],
): Promise<('unclaimed' | Exclude<StepClaimResult, 'claimed'>)[]> {
  const rows = await queryBulk<StepKey & { unclaimed: boolean; fenced: string[] | null; answered: boolean }>(
    database,
    {
      name: 'read-step-states',
      text: `select f.msg_key as "msgKey", f.step, f.try, f.state = 'unclaimed' as unclaimed, f.fenced_tokens::text[] as fenced,
                  exists (select from attempts a
                           where a.msg_key = f.msg_key and a.step = f.step and a.try = f.try) as answered
             from in_flight f
             join unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
               on f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try`,
      columns: columns(keys, ({ msgKey, step, try: nth }) => [msgKey, step, nth]),
    },
  )
  const states = new Map(rows.map((row) => [stepId(row), row]))
  return keys.map((key) => {
    const found = states.get(stepId(key))
    if (
      found === undefined ||
      (key.token !== undefined && found.fenced?.includes(String(key.token)) === true)
    )
      return 'stale'
    if (found.unclaimed) return 'unclaimed'
    return found.answered ? 'answered' : 'unanswered'
  })
}

/** Maximum number of returned tokens that a row remembers. */
const maxFenced = 32

/**
 * Gives back claims whose steps the carrier certainly has not accepted, and fences their tokens: a copy of the claim
 * that PostgreSQL executes later is not granted. A statement that is not committed holds its row, so this one waits
 * for it. The claim of a successor is not changed.
 */
export async function returnClaims(database: Queryable, claims: readonly StepClaim[]): Promise<void> {
  await queryBulk(database, {
    name: 'return-claims',
    text: `update in_flight f
              set fenced_tokens = case when f.fenced_tokens @> k.tokens then f.fenced_tokens
                                       else (k.tokens || f.fenced_tokens)[1:${maxFenced}] end,
                  state = case when f.claim_token = any (k.tokens) then 'unclaimed' else f.state end,
                  claim_token = case when f.claim_token = any (k.tokens) then null else f.claim_token end
             from (select msg_key, step, try, array_agg(token) as tokens
                     from unnest($1::text[], $2::smallint[], $3::smallint[], $4::bigint[]) as c (msg_key, step, try, token)
                    group by msg_key, step, try order by msg_key collate "C") k
            where f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try`,
    columns: columns(claims, toValues),
  })
}

/**
 * Takes over the claim of a previous owner of the same route and login, whose carrier recognizes a repeated
 * submission, while no outcome is recorded. The previous owner may have submitted the step, and may still do so.
 */
export async function takeOverClaim(database: Queryable, claim: StepClaim): Promise<boolean> {
  const { msgKey, step, try: nth, token, repeatableOn, login = null } = claim
  const result = await database.query({
    name: 'take-over-claim',
    text: `update in_flight f set claim_token = $4
            where f.msg_key = $1 and f.step = $2 and f.try = $3 and f.state = 'claimed' and f.claim_route = $5
              and f.claim_login is not distinct from $6
              and not exists (select from attempts a where a.msg_key = $1 and a.step = $2 and a.try = $3)`,
    values: [msgKey, step, nth, token, repeatableOn, login],
  })
  return result.rowCount === 1
}

/**
 * Protects these claims from takeover from now on, and returns those that no longer hold their step, because another claim
 * or no claim holds it. Returns no claim of a step that has ended or is at another try.
 */
export async function pinClaims(database: Queryable, claims: readonly StepClaim[]): Promise<StepClaim[]> {
  const numbered = inKeyOrder(claims.map((claim, n) => ({ ...claim, n })))
  const rows = await queryBulk<{ n: number }>(database, {
    name: 'keep-claims',
    text: `with k as materialized (
             select * from unnest($1::text[], $2::smallint[], $3::smallint[], $4::bigint[], $5::int[]) as k (msg_key, step, try, token, n)),
           kept as (
             update in_flight f set claim_route = null from k
              where f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try and f.claim_token = k.token
             returning f.msg_key, f.claim_token)
           select k.n from k
             join in_flight f on f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try
            where not exists (select from kept where kept.msg_key = k.msg_key and kept.claim_token = k.token)`,
    columns: columns(numbered, (claim) => [...toValues(claim), claim.n]),
  })
  return rows.map(({ n }) => claims[n]!)
}

function toValues({ msgKey, step, try: nth, token }: StepClaim): unknown[] {
  return [msgKey, step, nth, token]
}
