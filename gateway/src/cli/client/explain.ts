/**
 * Explains refused operations and an unreachable admin API on the command line: maps fields to options, and adds the
 * next command to the message of an operation.
 */
import type { Command } from 'commander'
import type { AdminCode } from '../../operations/codes.ts'
import { hasCode, OperationError, type Facts, type Resource } from '../../operations/errors.ts'
import { readOperatorKeyId } from '../../identity/operators/key.ts'
import { FailedError } from '../errors.ts'
import { suggestSignIn, describeSource, type Target } from './target.ts'

/** The next command for errors that a command can fix. */
const advice: Partial<Record<AdminCode, (facts: Facts) => string | undefined>> = {
  'invalid-request': ({ protocol }) =>
    protocol === undefined ? undefined : `\`postern route put --help ${String(protocol)}\` lists the options`,
  unauthenticated: () => 'ask an admin to create a key with `postern operator key add`',
  'first-key': () => 'run `postern operator key rotate`',
  'not-found': ({ resource, account }) => adviceForMissing(resource as Resource, account),
  'already-exists': ({ resource }) =>
    resource === 'operator' ? '`postern operator role` changes its role' : undefined,
  'key-in-use': () => 'the operator replaces it with `postern operator key rotate`',
  'smpp-disabled': ({ account }) =>
    `run \`postern account set ${String(account)} --smpp-binds 2 --reason <why>\``,
  'second-operator-needed': ({ route }) =>
    route === undefined
      ? 'with `postern sender approve`, or for a list with `postern sender import --approve`'
      : `with \`postern route enable ${String(route)}\``,
}

const listCommands: Partial<Record<Resource, string>> = {
  account: 'account list',
  'audit row': 'audit list',
  batch: 'batch list',
  operator: 'operator list',
  'operator key': 'operator list',
  'parked job': 'parked list',
  route: 'route list',
  template: 'route templates list',
  webhook: 'webhook list',
}

function adviceForMissing(resource: Resource, account: Facts[string] | undefined): string | undefined {
  if (resource === 'message') return '`postern parked list` shows messages that cannot be recorded'
  if (resource === 'key') return `\`postern account key list ${String(account)}\` lists the keys`
  if (resource === 'sender')
    return `\`postern sender list ${String(account)}\` lists the senders, \`postern sender add\` registers one`
  const list = listCommands[resource]
  return list === undefined ? undefined : `\`postern ${list}\` lists what exists`
}

/** Returns what the command line prints for a refused operation. */
export function explainRefusal(error: OperationError, command: Command): string {
  const { code, message, field, facts, retryAfterSeconds } = error
  const named = field === undefined ? message : message.replace(`'${field}'`, labelField(field, command))
  const retry =
    code === 'too-many-requests' && retryAfterSeconds !== undefined
      ? `after ${retryAfterSeconds} s`
      : undefined
  const parts = [named, advice[code]?.(facts), retry].filter((part) => part !== undefined)
  return parts.join(/[.?]$/.test(named) ? ' ' : '; ')
}

/**
 * Returns the option or argument of a field, such as `--client-id` for `clientId`; a field without one is
 * returned unchanged.
 */
function labelField(field: string, command: Command): string {
  // `names.0` is an entry of `names`.
  const name = toCamelCase(field.replace(/\.\d+$/, '').replaceAll('.', '-'))
  const option = command.options.find((candidate) => candidate.attributeName() === name)
  if (option?.long !== undefined) return option.long
  const argument = command.registeredArguments.find((candidate) => toCamelCase(candidate.name()) === name)
  return argument === undefined ? `'${field}'` : `<${argument.name()}>`
}

const toCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** The response of the admin API to a request was lost; the request may have been done. */
export class ResponseLostError extends FailedError {
  override readonly name = 'ResponseLostError'
  /** Time to wait before the request is sent again. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds = 0) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const mayBeDone = 'the change may have been done; check `postern audit list` before you repeat it'
const orDone = (isChange: boolean): string => (isChange ? `; ${mayBeDone}` : '')

/**
 * Explains a problem of the connection to the admin API; a refusal of the operation is returned unchanged.
 */
export function explainConnectionProblem(error: OperationError, target: Target, isChange: boolean): Error {
  const { code, message, facts, retryAfterSeconds } = error
  switch (code) {
    case 'unauthenticated':
      return new FailedError(
        `${target.url} refused the key ${readOperatorKeyId(target.key) ?? ''}: it is unknown, revoked or expired, or its operator is disabled; ${suggestSignIn(target)}. An admin creates a key with \`postern operator key add\``,
      )
    case 'not-found':
      return facts['resource'] === 'path'
        ? new FailedError(
            `${target.url} does not support this operation: its version differs from this command; use the command of its version`,
          )
        : error
    case 'unavailable': {
      const after = retryAfterSeconds === undefined ? '' : `, after ${retryAfterSeconds} s`
      const text = `${target.url}: ${message}${after}${orDone(isChange)}`
      // PostgreSQL may have been lost before or after the commit.
      return isChange ? new ResponseLostError(text, retryAfterSeconds) : new FailedError(text)
    }
    case 'internal':
      return new FailedError(
        `${target.url} failed internally; see the log of the admin API${orDone(isChange)}`,
      )
    default:
      return error
  }
}

/** Explains the failure of one of several requests; the requests before it are done. */
export function toPartialFailure(done: string, error: unknown): unknown {
  return error instanceof Error
    ? new FailedError(`${done}, then failed: ${error.message}. Run the command again for the rest`)
    : error
}

/**
 * Explains the second attempt of a change whose first response was lost: whether the change is done, if that
 * is known.
 */
export function explainRepeatedRequest(lost: ResponseLostError, second: unknown): unknown {
  if (hasCode(second, 'repeated'))
    return new OperationError(
      'repeated',
      `the response was lost and the change was not repeated: ${second.message}. Check the result; create one-time output, such as a key, again`,
      { done: second.done },
    )
  // A refusal of the second request does not prove the result of the first.
  return lost
}

/** Explains a response that does not come from an admin API, for example from a proxy. */
export function explainUnexpectedResponse(status: number, target: Target, isChange: boolean): FailedError {
  const next =
    status >= 300 && status < 400
      ? 'redirects are not followed, to protect the key: use the address that it leads to'
      : `check that ${describeSource(target)} is the address of the admin API, and that the admin API is running behind its proxy`
  // A gateway timeout of a proxy does not show whether the request was processed.
  const uncertain = isChange && (status < 300 || status >= 500)
  const type = uncertain ? ResponseLostError : FailedError
  return new type(
    `${target.url} returned HTTP ${status}, but not from an admin API; ${next}${orDone(uncertain)}`,
  )
}

/** Explains a request without a complete response. */
export function explainFailure(
  error: unknown,
  target: Target,
  { timeoutMs, isChange }: { readonly timeoutMs: number; readonly isChange: boolean },
): FailedError {
  if (error instanceof FailedError) return new FailedError(`${target.url}: ${error.message}`)
  const { name, message, cause } = error as Error
  const { code, message: why = message } = (cause ?? {}) as { code?: unknown; message?: string }
  const state = typeof code === 'string' ? code : why
  if (certificateErrors.test(state))
    return new FailedError(
      `the certificate of ${target.url} cannot be verified (${state}); set NODE_EXTRA_CA_CERTS to the certificate of your own authority, or correct the certificate of the server`,
    )
  if (name === 'TimeoutError') {
    const next = isChange ? mayBeDone : 'retry later, or narrow the query'
    const type = isChange ? ResponseLostError : FailedError
    return new type(`${target.url} did not respond within ${timeoutMs / 1000} s; ${next}`)
  }
  if (isChange && !notSent.test(state))
    return new ResponseLostError(`the connection to ${target.url} was lost (${state}); ${mayBeDone}`)
  return new FailedError(
    `${target.url} is unreachable (${state}); check that an admin API is running there (POSTERN_ADMIN_PORT) and that ${describeSource(target)} is its address`,
  )
}

/** Errors before anything was sent. */
const notSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS_[A-Z_]+)$/
const certificateErrors =
  /^(CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/
