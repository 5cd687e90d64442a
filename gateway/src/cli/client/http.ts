/**
 * The admin API over HTTPS. Every response is limited in time and size, no redirect is followed, because it
 * would receive the key, and certificates are always verified. A change carries an Idempotency-Key: if its
 * response is lost, the request is sent once more, and the admin API executes it once.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { operationIndex } from '../../operations/operation-index.ts'
import { readOperatorKeyId } from '../../identity/operators/key.ts'
import { readVariable } from '../../platform/settings/environment.ts'
import type { AdminCode } from '../../operations/codes.ts'
import { OperationError } from '../../operations/errors.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { UntypedInput, Transport } from './client.ts'
import {
  explainConnectionProblem,
  explainFailure,
  explainUnexpectedResponse,
  explainRepeatedRequest,
  ResponseLostError,
} from './explain.ts'
import { suggestSignIn, type Target } from './target.ts'
import type { OperationId } from './types.ts'

export interface ClientLimits {
  /** A change can take 30 s in the database. */
  readonly timeoutMs: number
  /** 200 rows of the audit log have up to 16 KB each. */
  readonly maxBytes: number
}

const defaultLimits: ClientLimits = { timeoutMs: 60_000, maxBytes: 16 * 1024 * 1024 }
/** Maximum wait before a change is sent again. */
const maxWaitSeconds = 10

export class HttpTransport implements Transport {
  readonly name: string
  readonly url: string
  readonly profile: string | null
  readonly #target: Target
  readonly #limits: ClientLimits

  constructor(target: Target, limits = defaultLimits) {
    // Checked here, because an error would quote a header with other characters.
    if (readOperatorKeyId(target.key) === null)
      throw new FailedError(
        `the key for ${target.url} is not an operator key (postern_op_…); ${suggestSignIn(target)}`,
      )
    this.#target = target
    this.name = target.url
    this.url = target.url
    this.profile = target.profile
    this.#limits = limits
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async call(id: OperationId, { params, query, body }: UntypedInput, version?: string): Promise<unknown> {
    const { method, path: template, kind } = operationIndex[id]
    const isChange = kind === 'change'
    const path = buildPath(template, params, query)
    const init = {
      method,
      headers: {
        authorization: `Bearer ${this.#target.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(version === undefined ? {} : { 'if-match': version }),
        ...(isChange ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    try {
      return await this.#request(path, init, isChange)
    } catch (error) {
      if (!isChange || !(error instanceof ResponseLostError)) throw error
      await wait(Math.min(error.retryAfterSeconds, maxWaitSeconds) * 1000)
      return await this.#request(path, init, isChange).catch((second: unknown) => {
        throw explainRepeatedRequest(error, second)
      })
    }
  }

  async #request(path: string, init: RequestInit, isChange: boolean): Promise<unknown> {
    const { status, text } = await this.#send(path, init, isChange)
    const body = parse(text)
    const problem = readProblem(body)
    if (problem !== null) throw explainConnectionProblem(problem, this.#target, isChange)
    const data = status === 200 ? body?.['data'] : undefined
    if (typeof data !== 'object' || data === null)
      throw explainUnexpectedResponse(status, this.#target, isChange)
    return data
  }

  async #send(path: string, init: RequestInit, isChange: boolean) {
    if (readVariable('NODE_TLS_REJECT_UNAUTHORIZED') === '0')
      throw new FailedError(
        'NODE_TLS_REJECT_UNAUTHORIZED is 0, but operator keys are only sent to verified servers: unset it, and set NODE_EXTRA_CA_CERTS to the certificate of your own authority',
      )
    const { timeoutMs, maxBytes } = this.#limits
    try {
      const response = await fetch(`${this.#target.url}${path}`, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await readText(response, maxBytes)
      return { status: response.status, text }
    } catch (error) {
      throw explainFailure(error, this.#target, { timeoutMs, isChange })
    }
  }
}

async function readText(response: Response, max: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    // Leaving the loop cancels the remaining body.
    if (length > max) throw new FailedError(`the response exceeds ${max} bytes; narrow the query`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

type ResponseBody = Readonly<Record<string, unknown>>

/** Returns null for a body that is not a JSON object. */
function parse(text: string): ResponseBody | null {
  try {
    const body = JSON.parse(text) as unknown
    return typeof body === 'object' ? (body as ResponseBody | null) : null
  } catch {
    return null
  }
}

/** Returns null for a body that is not a problem of an admin API. */
function readProblem(body: ResponseBody | null): OperationError | null {
  const { code, detail, ...details } = body ?? {}
  if (typeof code !== 'string' || typeof detail !== 'string') return null
  return new OperationError(code as AdminCode, detail, details)
}

/** Returns the path and query of a request. */
function buildPath(
  template: string,
  params: UntypedInput['params'] = {},
  query: UntypedInput['query'] = {},
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(params[name])
    // These path segments would lead to another path.
    if (/^\.{0,2}$/.test(value)) throw new UsageError(`'${value}' is not allowed as an id over the admin API`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}
