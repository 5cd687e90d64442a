/**
 * What the command line prints when an operation is refused, or when the admin API cannot be reached. The only place that turns fields into
 * options and adds commands to the message of an operation.
 */
import type { Command } from 'commander'
import type { AdminCode } from '../../acts/codes.ts'
import { hasCode, OperationError, type Facts, type Resource } from '../../acts/errors.ts'
import { readOperatorKeyId } from '../../operators/key.ts'
import { FailedError } from '../errors.ts'
import { nextSignIn, sourceOf, type Target } from './target.ts'

/** The next command for errors that one helps with. */
const advice: Partial<Record<AdminCode, (facts: Facts) => string | undefined>> = {
  'invalid-request': ({ protocol }) =>
    protocol === undefined ? undefined : `\`postern route put --help ${String(protocol)}\` lists the options`,
  unauthenticated: () => 'an admin creates a key with `postern operator key add`',
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

/** Returns the option or argument of a field, such as `--client-id` for `clientId`; a field without one stays as it is. */
function labelField(field: string, command: Command): string {
  // `names.0` is an entry of `names`.
  const name = toCamelCase(field.replace(/\.\d+$/, '').replaceAll('.', '-'))
  const option = command.options.find((one) => one.attributeName() === name)
  if (option?.long !== undefined) return option.long
  const argument = command.registeredArguments.find((one) => toCamelCase(one.name()) === name)
  return argument === undefined ? `'${field}'` : `<${argument.name()}>`
}

const toCamelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** No answer of the admin API came to a request, which it may have done. */
export class LostAnswer extends FailedError {
  override readonly name = 'LostAnswer'
  /** How long to wait before the request is sent again. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds = 0) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const mayBeDone = 'it may be done all the same: look before you repeat it, `postern audit list` has it'
const orDone = (changes: boolean): string => (changes ? `; ${mayBeDone}` : '')

/** Explains a problem that concerns the connection to the admin API; a refusal of the operation stays as it is. */
export function explainAnswer(error: OperationError, target: Target, changes: boolean): Error {
  const { code, message, facts, retryAfterSeconds } = error
  switch (code) {
    case 'unauthenticated':
      return new FailedError(
        `${target.url} refused the key ${readOperatorKeyId(target.key) ?? ''}: it is unknown, revoked or past its end, or its operator is disabled; ${nextSignIn(target)}. An admin makes a key with \`postern operator key add\``,
      )
    case 'not-found':
      return facts['resource'] === 'path'
        ? new FailedError(
            `${target.url} does not have this operation: its version differs from that of this command; use the command of its version`,
          )
        : error
    case 'unavailable': {
      const after = retryAfterSeconds === undefined ? '' : `, after ${retryAfterSeconds} s`
      const text = `${target.url}: ${message}${after}${orDone(changes)}`
      // PostgreSQL may have been lost before or after the commit.
      return changes ? new LostAnswer(text, retryAfterSeconds) : new FailedError(text)
    }
    case 'internal':
      return new FailedError(
        `${target.url} failed internally; see the log of the admin API${orDone(changes)}`,
      )
    default:
      return error
  }
}

/** Of several requests one has failed: what those before it did is done. */
export function failedAfter(done: string, error: unknown): unknown {
  return error instanceof Error
    ? new FailedError(`${done}; the rest was not tried or may not be done: ${error.message}`)
    : error
}

/** Of a change whose answer was lost and which was sent again: whether it is done, where that is known. */
export function explainRepeated(lost: LostAnswer, second: unknown): unknown {
  if (hasCode(second, 'repeated'))
    return new OperationError(
      'repeated',
      `the answer was lost, and it is not done again: ${second.message}. Show what it changed; what was to be printed once, such as a key, must be made again`,
      { done: second.done },
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
