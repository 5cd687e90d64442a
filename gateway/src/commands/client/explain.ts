/** What an operator reads when the admin API refuses or cannot be reached: what is wrong, and what to do next. Pure. */
import { readOperatorKeyId } from '../../operators/key.ts'
import { FailedError, UsageError } from '../errors.ts'
import { nextSignIn, sourceOf, type Target } from './target.ts'

export interface Refusal {
  readonly status: number
  readonly code: string
  readonly result: string
  readonly retryAfter: string | null
  /** Of a repeated request: whether the first one is done. */
  readonly done?: unknown
}

/** The admin API has nothing of this name. */
export class NotFoundError extends FailedError {
  override readonly name = 'NotFoundError'
}

/** The key was made by somebody else, and must be replaced first. */
export class FirstKeyError extends FailedError {
  override readonly name = 'FirstKeyError'
}

/** Somebody else has changed what was to be replaced. */
export class StaleError extends FailedError {
  override readonly name = 'StaleError'
}

/** The admin API does too much at once, and has done nothing. */
export class BusyError extends FailedError {
  override readonly name = 'BusyError'
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfter: string | null) {
    super(message)
    this.retryAfterSeconds = Number(retryAfter) || 1
  }
}

/** No answer of the admin API came to a request, which it may have done. */
export class LostAnswer extends FailedError {
  override readonly name = 'LostAnswer'
  /** How long to wait before the request is sent again. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfter: string | null = null) {
    super(message)
    this.retryAfterSeconds = Number(retryAfter) || 0
  }
}

/** The admin API has done a request with the same Idempotency-Key before, and does not store its answers. */
export class RepeatedError extends FailedError {
  override readonly name = 'RepeatedError'
  /** False while that request may still be in progress, or was cut off. */
  readonly done: boolean

  constructor(message: string, done: boolean) {
    super(message)
    this.done = done
  }
}

const mayBeDone = 'it may be done all the same: look before you repeat it, `postern audit list` has it'
const orDone = (changes: boolean): string => (changes ? `; ${mayBeDone}` : '')

const reasonMissing = 'a reason is missing: '

/** What every transport says of a problem of an operation. */
export function explainProblem({
  code,
  result,
  retryAfter,
  done,
}: Pick<Refusal, 'code' | 'result' | 'retryAfter' | 'done'>): Error {
  switch (code) {
    case 'reason-missing':
      return new UsageError(`--reason is missing: ${result.replace(reasonMissing, '')}`)
    case 'invalid-request':
      return new UsageError(result)
    case 'not-found':
      return new NotFoundError(result)
    case 'first-key':
      return new FirstKeyError(result)
    case 'stale':
      return new StaleError(result)
    case 'repeated':
      return new RepeatedError(result, done === true)
    case 'too-many-requests':
      return new BusyError(`${result}${after(retryAfter)}`, retryAfter)
    default:
      return new FailedError(result)
  }
}

/** `changes`: the request was to change something. */
export function explainAnswer(refusal: Refusal, target: Target, changes: boolean): Error {
  const { status, code, result, retryAfter } = refusal
  switch (code) {
    case 'unauthenticated':
      return new FailedError(
        `${target.url} refused the key ${readOperatorKeyId(target.key) ?? ''}: it is unknown, revoked or past its end, or its operator is disabled; ${nextSignIn(target)}. An admin makes a key with \`postern operator key add\``,
      )
    case 'not-found':
      return result.startsWith('no such path')
        ? new FailedError(
            `${target.url} does not have this operation: its version differs from that of this command; use the command of its version`,
          )
        : explainProblem(refusal)
    case 'unavailable': {
      const message = `${target.url}: ${result}${after(retryAfter)}${orDone(changes)}`
      // PostgreSQL may have been lost before or after the commit.
      return changes ? new LostAnswer(message, retryAfter) : new FailedError(message)
    }
    case 'internal':
      return new FailedError(
        `${target.url} failed internally (HTTP ${status}); see the log of the admin API${orDone(changes)}`,
      )
    default:
      return explainProblem(refusal)
  }
}

const after = (seconds: string | null): string => (seconds === null ? '' : `, after ${seconds} s`)

/** Of several requests one has failed: what those before it did is done. */
export function failedAfter(done: string, error: unknown): unknown {
  return error instanceof Error
    ? new FailedError(`${done}; the rest was not tried or may not be done: ${error.message}`)
    : error
}

/** Of a change whose answer was lost and which was sent again: whether it is done, where that is known. */
export function explainRepeated(lost: LostAnswer, second: unknown): unknown {
  if (second instanceof RepeatedError)
    return new RepeatedError(
      `the answer was lost, and it is not done again: ${second.message}. Show what it changed; what was to be printed once, such as a key, must be made again`,
      second.done,
    )
  // A refusal of the second says nothing about the first.
  return lost
}

/** Something answers that is no admin API, such as a proxy. */
export function explainForeign(status: number, target: Target, changes: boolean): FailedError {
  const next =
    status >= 300 && status < 400
      ? 'it redirects, and the key is not sent elsewhere: give the address that it leads to'
      : `check that ${sourceOf(target)} has the address of the admin API, and that it is running behind its proxy`
  // A proxy that has given up waiting says nothing about what becomes of the request.
  const uncertain = changes && (status < 300 || status >= 500)
  const type = uncertain ? LostAnswer : FailedError
  return new type(
    `${target.url} answered HTTP ${status} and not as an admin API does; ${next}${orDone(uncertain)}`,
  )
}

export function explainFailure(
  error: unknown,
  target: Target,
  { timeoutMs, changes }: { readonly timeoutMs: number; readonly changes: boolean },
): FailedError {
  if (error instanceof FailedError) return new FailedError(`${target.url}: ${error.message}`)
  const { name, message, cause } = error as Error
  const { code, message: why = message } = (cause ?? {}) as { code?: unknown; message?: string }
  const state = typeof code === 'string' ? code : why
  if (certificateErrors.test(state))
    return new FailedError(
      `the certificate of ${target.url} cannot be verified (${state}); give the certificate of your own authority in NODE_EXTRA_CA_CERTS, or correct the certificate of the server`,
    )
  if (name === 'TimeoutError') {
    const next = changes ? mayBeDone : 'repeat it later, or ask for less'
    const type = changes ? LostAnswer : FailedError
    return new type(`${target.url} did not answer within ${timeoutMs / 1000} s; ${next}`)
  }
  if (changes && !notSent.test(state))
    return new LostAnswer(`the connection to ${target.url} was lost (${state}); ${mayBeDone}`)
  return new FailedError(
    `${target.url} cannot be reached (${state}); check that an admin API is running there (POSTERN_ADMIN_PORT) and that ${sourceOf(target)} has its address`,
  )
}

/** Nothing was sent. */
const notSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS_[A-Z_]+)$/
const certificateErrors =
  /^(CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/
