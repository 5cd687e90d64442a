/**
 * POST /v1/suppression, /search and /remove: recipients who opted out of the advertisements of the account. Numbers are in
 * bodies, because URLs are logged by proxies.
 */
import { Type, type Static } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import { responseSchema } from '../../contract/response.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import type { Database } from '../../platform/database/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { normalizeRecipient } from '../../platform/recipient.ts'
import type { ReadKeyword } from './choice.ts'
import { choiceLimits, type ReachedLimit } from './plan-change.ts'
import { findChoice, toRecipientKey, setChoices, type ChangeResult } from './store.ts'

export const maxNumbers = 1_000
const maxText = 200
export const suppressionBodyBytes = 64 * 1024

export const SuppressionRequest = Type.Object(
  {
    to: Type.Array(Type.String({ maxLength: 20 }), {
      minItems: 1,
      maxItems: maxNumbers,
      description: `Recipients, as in sends; at most ${maxNumbers}`,
    }),
    keyword: Type.Optional(
      Type.String({
        maxLength: maxText,
        description:
          'A text that the recipient has sent. STOP and the like suppress, START removes; any other text changes nothing. Without it the recipients are suppressed.',
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: maxText, description: 'Kept with the entry' })),
  },
  { additionalProperties: false },
)

export const SuppressionRecipient = Type.Object(
  { to: Type.String({ maxLength: 20, description: 'The recipient, as in sends' }) },
  { additionalProperties: false },
)

export const SuppressionChangeResponse = responseSchema(
  {
    state: Type.Enum(['suppressed', 'none', 'unchanged'], {
      description: 'What holds for the recipients now; unchanged where the keyword says nothing',
    }),
    changed: Type.Integer({ description: 'Recipients for whom that is new' }),
    kept: Type.Integer({
      description:
        'Recipients who stay suppressed because they opted out at their carrier, or because the operator of the service has entered them; the recipient at its carrier, or the operator, takes it back',
    }),
  },
  'What changed',
)

export const SuppressionResponse = responseSchema(
  {
    state: Type.Enum(['suppressed', 'agreed', 'none'], {
      description: 'Whether the recipient opted out of advertisements, or agreed to them',
    }),
    since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Since when, null where nothing is known',
    }),
    source: Type.Union([Type.String(), Type.Null()], {
      description: 'api, keyword, reply, carrier or operator',
    }),
  },
  'What the list of the account has of the recipient',
)

export interface SuppressionRoutesOptions {
  /** A separate pool with time limits, because changes wait for each other in it. */
  readonly database: Database
  readonly openBlindIndex: () => Promise<BlindIndex>
  readonly formatTime: FormatTime
  readonly readKeyword: ReadKeyword
}

export function suppressionRoutes(options: SuppressionRoutesOptions): FastifyPluginCallback {
  const { database, openBlindIndex, formatTime, readKeyword } = options
  const inTurn = createAccountQueue()

  async function suppress(request: FastifyRequest): Promise<Static<typeof SuppressionChangeResponse>> {
    const { to, keyword, reason = '' } = readBody(request.body)
    const state = keyword === undefined ? 'suppressed' : readKeyword(keyword)
    if (state === null) return changed('unchanged', { changed: 0, kept: 0 })
    const source = keyword === undefined ? 'api' : 'keyword'
    return change(request, to, { state, source, reason })
  }

  async function remove(request: FastifyRequest): Promise<Static<typeof SuppressionChangeResponse>> {
    return change(request, [readRecipient(request.body)], { state: 'none', source: 'api', reason: '' })
  }

  async function change(
    request: FastifyRequest,
    to: readonly string[],
    choice: {
      readonly state: 'suppressed' | 'none'
      readonly source: 'api' | 'keyword'
      readonly reason: string
    },
  ): Promise<Static<typeof SuppressionChangeResponse>> {
    const { id } = requireAccount(request)
    const blindIndex = await openBlindIndex()
    const result = await inTurn(id, () => setChoices(database, blindIndex, id, to, choice))
    if (result.limit !== null) throw refusal(result.limit, result.refused)
    return changed(choice.state, result)
  }

  /** Shows only the account's own list: entries of others for a recipient are not disclosed. */
  async function search(request: FastifyRequest): Promise<Static<typeof SuppressionResponse>> {
    const to = readRecipient(request.body)
    const { id } = requireAccount(request)
    const found = await findChoice(database, toRecipientKey(await openBlindIndex(), id, to), id)
    const isKnown = found !== null && found.state !== 'none'
    return {
      code: 'A000',
      result: 'Success',
      data: {
        state: isKnown ? found.state : 'none',
        since: isKnown ? formatTime(found.since) : null,
        source: isKnown ? found.source : null,
      },
    }
  }

  return (server, _options, done) => {
    const writing = {
      bodyLimit: suppressionBodyBytes,
      schema: { response: { 200: SuppressionChangeResponse } },
    }
    server.post('/v1/suppression', writing, suppress)
    server.post('/v1/suppression/search', { schema: { response: { 200: SuppressionResponse } } }, search)
    server.post('/v1/suppression/remove', writing, remove)
    done()
  }
}

function changed(
  state: 'suppressed' | 'none' | 'unchanged',
  { changed: count, kept }: Pick<ChangeResult, 'changed' | 'kept'>,
): Static<typeof SuppressionChangeResponse> {
  return { code: 'A000', result: 'Success', data: { state, changed: count, kept } }
}

function refusal(limit: ReachedLimit, refused: number): Problem {
  const reasons: Readonly<Record<ReachedLimit, string>> = {
    account: `at most ${choiceLimits.suppressed} recipients per account allowed`,
    installation: 'the lists of all accounts are full',
    removals: `an account can remove at most ${choiceLimits.removalsPerDay} recipients per day`,
  }
  return new Problem(
    'A300',
    `Wrong request: ${reasons[limit]}; ${refused} recipients of the request were not stored, the others were. Ask the service operator`,
  )
}

function readBody(body: unknown): Static<typeof SuppressionRequest> {
  const { to, keyword, reason } = readFields(body, ['to', 'keyword', 'reason'])
  if (!Array.isArray(to) || to.length < 1 || to.length > maxNumbers)
    throw invalidField('A306', 'to', `must be an array of 1 to ${maxNumbers} numbers`)
  return {
    to: to.map((number, index) => readNumber(number, `to[${index}]`)),
    ...(keyword === undefined ? {} : { keyword: readText(keyword, 'keyword') }),
    ...(reason === undefined ? {} : { reason: readText(reason, 'reason') }),
  }
}

function readText(text: unknown, field: string): string {
  if (typeof text === 'string' && text.length <= maxText && !/\p{Cc}/u.test(text)) return text
  throw invalidField(
    'A300',
    field,
    `must be a string of at most ${maxText} characters without control characters`,
  )
}

function readRecipient(body: unknown): string {
  return readNumber(readFields(body, ['to']).to, 'to')
}

function readFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Readonly<Partial<Record<Name, unknown>>> {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const unknown = Object.keys(fields).find((name) => !(names as readonly string[]).includes(name))
  if (unknown === undefined) return fields as Readonly<Partial<Record<Name, unknown>>>
  throw new Problem('A300', `Wrong request: unknown field '${unknown.slice(0, 100)}'`)
}

function readNumber(number: unknown, field: string): string {
  const to = typeof number === 'string' ? normalizeRecipient(number) : ''
  if (isRecipient(to) || isInternationalRecipient(to)) return to
  throw invalidField('A306', field, 'must be a recipient as in sends: digits, or + and the country code')
}

const maxWaiting = 8
const maxWaitMs = 2_000
const retrySeconds = 2

type RunInTurn = <T>(accountId: number, work: () => Promise<T>) => Promise<T>

/**
 * Runs the changes of one account one after the other in this process, so an account never uses more than one
 * connection of the pool. A few wait for a short time; further ones are refused with A920.
 */
function createAccountQueue(): RunInTurn {
  const queues = new Map<number, { last: Promise<unknown>; length: number }>()
  return async (accountId, work) => {
    const queue = queues.get(accountId) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > maxWaiting) throw tooManyChanges()
    queues.set(accountId, queue)
    queue.length++
    const since = performance.now()
    const current = queue.last.then(() => {
      if (performance.now() - since > maxWaitMs) throw tooManyChanges()
      return work()
    })
    queue.last = current.catch(() => undefined)
    try {
      return await current
    } finally {
      if (--queue.length === 0) queues.delete(accountId)
    }
  }
}

function tooManyChanges(): Problem {
  return new Problem(
    'A920',
    'Service busy: other changes of the account are in progress; combine the recipients into one request, or retry',
    retrySeconds,
  )
}
