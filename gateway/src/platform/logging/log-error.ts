/**
 * An error in the form that the log stores: type, code, stack frames, and the message if it cannot quote
 * data. Everything else is dropped, because drivers attach data to their errors (the arguments of a Redis
 * command, `detail` and `where` of PostgreSQL, the input of a parser), which may contain message text and
 * phone numbers.
 */
export interface LoggedError {
  readonly type: string
  readonly code?: string | number
  readonly message?: string
  readonly stack?: string
  /** Names of PostgreSQL objects, which contain no data. */
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  readonly cause?: LoggedError
  readonly errors?: readonly LoggedError[]
}

const maxDepth = 3
const maxErrors = 3
const maxFrames = 20
const maxMessageLength = 500

/** SQLSTATE classes whose messages name only objects of the schema, the connection or the server's state. */
const safeSqlStates = /^(08|23|25|28|40|42|53|55|57|58)...$/
/** Redis errors that state a condition of the server. `ERR` quotes the arguments of an unknown command. */
const safeRedisCodes =
  /^(LOADING|OOM|READONLY|MISCONF|NOAUTH|WRONGPASS|MASTERDOWN|CLUSTERDOWN|BUSY|NOSCRIPT|WRONGTYPE|NOREPLICAS) /
/**
 * Types whose messages quote the value they refuse. Those of Node.js errors with a code that begins with `ERR_`
 * quote it as well.
 */
const quotingTypes = new Set(['SyntaxError', 'TypeError', 'RangeError', 'URIError', 'EvalError'])

export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const { cause, code, errors } = error as Error & { code?: unknown; errors?: unknown }
  const message = safeMessage(error)
  const stack = extractFrames(error)
  return {
    type: findTypeName(error),
    ...(isCode(code) ? { code } : {}),
    ...(message === '' ? {} : { message }),
    ...(stack === '' ? {} : { stack }),
    ...schemaNames(error),
    ...(depth < maxDepth && cause instanceof Error ? { cause: describeError(cause, depth + 1) } : {}),
    ...(depth < maxDepth && Array.isArray(errors)
      ? { errors: errors.slice(0, maxErrors).map((inner) => describeError(inner, depth + 1)) }
      : {}),
  }
}

/** Reduces an error to the name and code. The message may contain message text or phone numbers. */
export function summarizeError(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: string }
  return [name ?? typeof error, code].filter((part) => part !== undefined).join(' ')
}

/** Describes an error in one line: type, code and the message if it is safe. */
export function safeText(error: unknown): string {
  const { type, code, message } = describeError(error)
  const name = code === undefined ? type : `${type} ${code}`
  return message === undefined ? name : `${name}: ${message}`
}

/** Returns an empty string if the message may quote data. */
function safeMessage(error: Error): string {
  const { message, code, severity, syscall, command } = error as Error & Readonly<Record<string, unknown>>
  if (typeof message !== 'string') return ''
  if (typeof severity === 'string')
    return typeof code === 'string' && safeSqlStates.test(code) ? clean(message) : ''
  if (typeof command === 'object' || error.name === 'ReplyError')
    return safeRedisCodes.test(message) || error.name !== 'ReplyError' ? clean(message) : ''
  if (typeof syscall === 'string') return clean(message)
  if (quotingTypes.has(error.name) || (typeof code === 'string' && code.startsWith('ERR_')))
    return clean(withoutQuotes(message))
  return clean(message)
}

/**
 * Cuts from the first quotation mark to the last, because the quoted value may contain quotation marks, and
 * everything after "Received".
 */
function withoutQuotes(message: string): string {
  return message.replace(/["'`].*["'`]/s, '…').replace(/\b[Rr]eceived .*/s, 'Received …')
}

/** Shortens a message and replaces runs of 8 to 15 digits, which can be a phone number. A msgKey has more, so it stays. */
function clean(message: string): string {
  return message
    .slice(0, maxMessageLength)
    .replaceAll(/(?<![\dA-Za-z])\+?\d{8,15}(?![\dA-Za-z])/g, '[digits]')
}

/** Keeps only lines in the form of a stack frame: the first lines of a stack repeat the message. */
function extractFrames({ stack, message }: Error): string {
  if (typeof stack !== 'string') return ''
  const stackWithoutMessage =
    typeof message === 'string' && message !== '' ? stack.replace(message, '') : stack
  const frames = stackWithoutMessage
    .split('\n')
    .filter((line) => /^ {4}at .{1,500}(:\d+:\d+|<anonymous>|native)\)?$/.test(line))
  return frames.slice(0, maxFrames).join('\n')
}

function findTypeName(error: Error): string {
  const name = typeof error.name === 'string' && error.name !== 'Error' ? error.name : error.constructor.name
  return /^\w{1,64}$/.test(name) ? name : 'Error'
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && /^[\w.-]{1,64}$/.test(code))
}

function schemaNames(error: Error): Pick<LoggedError, 'table' | 'column' | 'constraint'> {
  const fields = error as Error & Readonly<Record<string, unknown>>
  if (typeof fields.severity !== 'string') return {}
  const names = (['table', 'column', 'constraint'] as const).filter(
    (name) => typeof fields[name] === 'string',
  )
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
