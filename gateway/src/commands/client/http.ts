/**
 * The admin API over HTTPS. Every answer is bounded in time and size, no redirect is followed, because it would be given the key, and
 * certificates are always verified. A change carries an Idempotency-Key: when its answer is lost it is asked for once more, and the admin
 * API does it once.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { operationIndex } from '../../admin/operation-index.ts'
import { readOperatorKeyId } from '../../operators/key.ts'
import { readVariable } from '../../platform/environment.ts'
import type { AdminCode } from '../../acts/codes.ts'
import { OperationError } from '../../acts/errors.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { AnyInput, Transport } from './client.ts'
import { explainAnswer, explainFailure, explainForeign, explainRepeated, LostAnswer } from './explain.ts'
import { nextSignIn, type Target } from './target.ts'
import type { OperationId } from './types.ts'

export interface ClientLimits {
  /** A change may take 30 s in the database. */
  readonly timeoutMs: number
  /** 200 rows of the audit log have up to 16 KB each. */
  readonly maxBytes: number
}

const defaultLimits: ClientLimits = { timeoutMs: 60_000, maxBytes: 16 * 1024 * 1024 }
/** Before a change is sent again. */
const maxWaitSeconds = 10

export class HttpTransport implements Transport {
  readonly name: string
  readonly url: string
  readonly profile: string | null
  readonly #target: Target
  readonly #limits: ClientLimits

  constructor(target: Target, limits = defaultLimits) {
    // Checked here: a header with other characters would be quoted in an error.
    if (readOperatorKeyId(target.key) === null)
      throw new FailedError(
        `the key for ${target.url} does not have the form of an operator's key, postern_op_…; ${nextSignIn(target)}`,
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

  async call(id: OperationId, { params, query, body }: AnyInput, version?: string): Promise<unknown> {
    const { method, path, kind } = operationIndex[id]
    const changes = kind === 'change'
    const address = addressOf(path, params, query)
    const init = {
      method,
      headers: {
        authorization: `Bearer ${this.#target.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(version === undefined ? {} : { 'if-match': version }),
        ...(changes ? { 'idempotency-key': randomUUID() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    try {
      return await this.#ask(address, init)
    } catch (error) {
      if (!changes || !(error instanceof LostAnswer)) throw error
      await wait(Math.min(error.retryAfterSeconds, maxWaitSeconds) * 1000)
      return await this.#ask(address, init).catch((second: unknown) => {
        throw explainRepeated(error, second)
      })
    }
  }

  async #ask(address: string, init: RequestInit): Promise<unknown> {
    const { status, text } = await this.#send(address, init)
    const answer = parse(text)
    const changes = init.method !== 'GET'
    const problem = readProblem(answer)
    if (problem !== null) throw explainAnswer(problem, this.#target, changes)
    const data = status === 200 ? answer?.['data'] : undefined
    if (typeof data !== 'object' || data === null) throw explainForeign(status, this.#target, changes)
    return data
  }

  async #send(path: string, init: RequestInit) {
    if (readVariable('NODE_TLS_REJECT_UNAUTHORIZED') === '0')
      throw new FailedError(
        'NODE_TLS_REJECT_UNAUTHORIZED is 0, and the key of an operator is sent to verified servers only: unset it, and give the certificate of your own authority in NODE_EXTRA_CA_CERTS',
      )
    const { timeoutMs, maxBytes } = this.#limits
    try {
      const response = await fetch(`${this.#target.url}${path}`, {
        ...init,
        ...{ redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) },
      })
      const text = await readText(response, maxBytes)
      return { status: response.status, text }
    } catch (error) {
      throw explainFailure(error, this.#target, { timeoutMs, changes: init.method !== 'GET' })
    }
  }
}

async function readText(response: Response, max: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    // Leaving the loop cancels the rest.
    if (length > max) throw new FailedError(`the answer has more than ${max} bytes; narrow what is asked for`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

type Answer = Readonly<Record<string, unknown>>

/** Returns null for what is not a JSON object. */
function parse(text: string): Answer | null {
  try {
    const answer = JSON.parse(text) as unknown
    return typeof answer === 'object' ? (answer as Answer | null) : null
  } catch {
    return null
  }
}

/** Returns null for what is not a problem of an admin API. */
function readProblem(answer: Answer | null): OperationError | null {
  const { code, detail, ...details } = answer ?? {}
  if (typeof code !== 'string' || typeof detail !== 'string') return null
  return new OperationError(code as AdminCode, detail, details)
}

function addressOf(path: string, params: AnyInput['params'] = {}, query: AnyInput['query'] = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(params[name])
    // These would lead to another address.
    if (/^\.{0,2}$/.test(value)) throw new UsageError(`'${value}' cannot be named over the admin API`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}
