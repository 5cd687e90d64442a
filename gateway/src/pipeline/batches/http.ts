/** Endpoints of batches: one flow for many recipients. Not part of the contract. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { checkCharacters } from '../../channels/fields.ts'
import { requireValid } from '../../channels/issues.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import { invalidField, memberPath, Problem, rateLimitExceeded } from '../../contract/problem.ts'
import { parseIntegerParameter } from '../../contract/query-parameters.ts'
import { quote } from '../../contract/quote.ts'
import type { FormatTime } from '../../contract/times.ts'
import { requireAccount } from '../../identity/accounts/request-account.ts'
import type { Database } from '../../platform/database/database.ts'
import { listBatchViews, type BatchFilter, type BatchView } from '../../records/batches/views.ts'
import type { BatchState } from '../../records/batches/transitions.ts'
import { discardRest } from '../../records/files/storage/discard.ts'
import { createShape } from '../accept/shape.ts'
import { batchActions, changeBatch, unknownBatch } from './actions.ts'
import type { BatchContext } from './batch-context.ts'
import { cancelByRef } from './cancel-by-ref.ts'
import { createBatch } from './create.ts'
import {
  BatchListResponse,
  BatchPartResponse,
  BatchResponse,
  batchStates,
  CancelBody,
  CancelResponse,
  describeBatch,
} from './responses.ts'
import { readResults } from './results.ts'
import { storePart } from './store-part.ts'
import { readUpload, uploadTypes, type UploadType } from './upload.ts'

export const maxParts = 10_000
export const maxListed = 100
export const defaultListed = 20

export interface BatchRoutesOptions extends BatchContext {
  /** Reads results, whose cost grows with the stored data. */
  readonly reads: Database
  readonly searches: Database
  readonly formatTime: FormatTime
  /** Keyed digest of a request, from its SHA-256 digest. */
  readonly computeFingerprint: (digest: Buffer) => string
}

type WithId = FastifyRequest<{ Params: { batchId: string; part: string } }>

const success = { code: 'A000', result: 'Success' } as const
const cancelShape = createShape(CancelBody, { ref: 'A305' })

export function batchRoutes(options: BatchRoutesOptions): FastifyPluginCallback {
  const { database, reads, formatTime, computeFingerprint } = options
  const uploading = new AccountLock('upload')
  const downloading = new AccountLock('download of results')
  const cancelling = new AccountLock('cancellation by ref')
  const fingerprint = (digest: Buffer): Buffer => Buffer.from(computeFingerprint(digest), 'base64')

  async function findBatch(accountId: number, batchKey: string): Promise<BatchView> {
    const [view] = isMsgKey(batchKey) ? await listBatchViews(database, { accountId, batchKey, limit: 1 }) : []
    if (view === undefined) throw unknownBatch()
    return view
  }

  async function respondWithBatch(accountId: number, batchKey: string) {
    return { ...success, data: describeBatch(await findBatch(accountId, batchKey), formatTime) }
  }

  async function create(request: FastifyRequest) {
    const { id: accountId } = requireAccount(request)
    const batchKey = await createBatch(options, {
      accountId,
      idempotencyKey: requireIdempotencyKey(request),
      digest: fingerprint(createHash('sha256').update(JSON.stringify(request.body)).digest()),
      body: request.body,
    })
    return respondWithBatch(accountId, batchKey)
  }

  async function upload(request: WithId) {
    const { id: accountId } = requireAccount(request)
    const { batchId: batchKey } = request.params
    const part = parseIntegerParameter(request.params.part, 'part', 1, maxParts)
    const type = getUploadType(request)
    await findBatch(accountId, batchKey)
    const release = uploading.take(accountId)
    try {
      const hash = createHash('sha256')
      const lines = readUpload(request.body as Readable, type, hash)
      const getDigest = (): Buffer => fingerprint(hash.digest())
      const stored = await storePart(options, { accountId, batchKey, part }, lines, getDigest)
      return { ...success, data: { batchId: batchKey, part, lines: stored } }
    } finally {
      release()
    }
  }

  async function sendResults(request: WithId, reply: FastifyReply) {
    const { id: accountId } = requireAccount(request)
    const batch = await findBatch(accountId, request.params.batchId)
    const release = downloading.take(accountId)
    const rows = Readable.from(readResults(reads, batch, formatTime)).once('close', release)
    return reply.type('text/csv; charset=utf-8').send(rows)
  }

  async function list(request: FastifyRequest) {
    const { id: accountId } = requireAccount(request)
    const { limit, after, ...filter } = readListQuery(request.query)
    const before = after === undefined ? undefined : (await findBatch(accountId, after)).id
    const views = await listBatchViews(database, { ...filter, accountId, before, limit: limit + 1 })
    const batches = views.slice(0, limit).map((view) => describeBatch(view, formatTime))
    const next = views.length > limit ? { next: batches.at(-1)!.batchId } : {}
    return { ...success, data: { batches, ...next } }
  }

  async function cancel(request: FastifyRequest) {
    const { id: accountId } = requireAccount(request)
    const body = requireValid((issues) => cancelShape.check(request.body, '', issues)) as Static<
      typeof CancelBody
    >
    const release = cancelling.take(accountId)
    try {
      return { ...success, data: await cancelByRef(options, accountId, body) }
    } finally {
      release()
    }
  }

  return (server, _options, done) => {
    const batchSchema = { schema: { response: { 200: BatchResponse } } }
    server.post('/v1/batch', batchSchema, create)
    server.get('/v1/batch', { schema: { response: { 200: BatchListResponse } } }, list)
    server.get('/v1/batch/:batchId', batchSchema, (request: WithId) =>
      respondWithBatch(requireAccount(request).id, request.params.batchId),
    )
    server.get('/v1/batch/:batchId/results', sendResults)
    for (const action of batchActions)
      server.post(`/v1/batch/:batchId/${action}`, batchSchema, async (request: WithId) => {
        const { id: accountId } = requireAccount(request)
        const { batchId: batchKey } = request.params
        await changeBatch(options, { accountId, batchKey }, action)
        return respondWithBatch(accountId, batchKey)
      })
    server.post('/v1/cancel', { schema: { response: { 200: CancelResponse } } }, cancel)
    server.register((uploads, _none, ready) => {
      // The handler reads the body as it arrives, and refuses other types.
      uploads.removeAllContentTypeParsers()
      uploads.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
      uploads.put(
        '/v1/batch/:batchId/recipients/:part',
        { schema: { response: { 200: BatchPartResponse } } },
        async (request: WithId) => {
          try {
            return await upload(request)
          } catch (error) {
            discardRest(request.raw)
            throw error
          }
        },
      )
      ready()
    })
    done()
  }
}

/** Requests of one kind that a process serves at a time, because each occupies memory or a connection. */
const maxConcurrent = 8

/** Limits the concurrent requests of one kind, and each account to one of them. */
class AccountLock {
  readonly #busy = new Set<number>()
  readonly #what: string

  constructor(what: string) {
    this.#what = what
  }

  /**
   * Returns the function that ends the request. Throws a Problem if the account has one in progress, or the process
   * too many.
   */
  take(accountId: number): () => void {
    if (this.#busy.has(accountId))
      throw rateLimitExceeded(`only one ${this.#what} at a time per account; wait for the response`, 1)
    if (this.#busy.size >= maxConcurrent) throw new Problem('A920', 'Service busy: retry the request', 1)
    this.#busy.add(accountId)
    return () => this.#busy.delete(accountId)
  }
}

function requireIdempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(
    'A300',
    'Wrong request: Idempotency-Key is required, one value of 1 to 255 visible ASCII characters',
  )
}

function getUploadType(request: FastifyRequest): UploadType {
  const [given = ''] = (request.headers['content-type'] ?? '').split(';')
  const type = uploadTypes.find((known) => known === given.trim().toLowerCase())
  if (type !== undefined) return type
  throw new Problem('A300', `Wrong request: Content-Type must be ${uploadTypes.join(' or ')}`)
}

type ListQuery = Pick<BatchFilter, 'state' | 'ref' | 'limit'> & { readonly after?: string | undefined }

const parameters = ['state', 'ref', 'limit', 'after'] as const

function readListQuery(query: unknown): ListQuery {
  const given = query as Readonly<Partial<Record<(typeof parameters)[number], unknown>>>
  // A misspelled filter must not return all batches.
  const unknown = Object.keys(given).find((name) => !(parameters as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw invalidField('A300', memberPath('', unknown), `must be one of ${parameters.join(', ')}`)
  const { state, ref, limit, after } = given
  return {
    state: state === undefined ? undefined : readState(state),
    ref: ref === undefined ? undefined : readText(ref, 'ref'),
    after: after === undefined ? undefined : readText(after, 'after'),
    limit: limit === undefined ? defaultListed : parseIntegerParameter(limit, 'limit', 1, maxListed),
  }
}

function readText(given: unknown, name: string): string {
  if (typeof given === 'string') {
    requireValid((issues) => checkCharacters('A300', name, given, issues))
    return given
  }
  throw invalidField('A300', name, 'must occur once')
}

function readState(given: unknown): BatchState {
  const state = batchStates.find((known) => known === given)
  if (state !== undefined) return state
  throw invalidField('A300', 'state', `must be one of ${batchStates.join(', ')}, found ${quote(given)}`)
}
