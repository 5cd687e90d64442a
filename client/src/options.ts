/** The settings of a client, and their defaults. */

/** With a client id and a password or key, tokens are requested and renewed. An API key alone needs no token. */
export type Credentials =
  { readonly clientId: string; readonly password: string } | { readonly apiKey: string }

export interface RetryOptions {
  /** Tries of a call that gets no response or a 5xx. 1 disables retries. Default 5. */
  readonly attempts?: number
  /** Wait before the second try; it doubles with every further one, up to `maxDelayMs`. Default 250. */
  readonly delayMs?: number
  /** Default 10,000. */
  readonly maxDelayMs?: number
}

export interface ClientOptions {
  /** Such as `https://gateway.example`. */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Prefix of the headers of a token request: `SVC` stands for `X-SVC-Client-Id`. Default `SVC`. */
  readonly credentialPrefix?: string
  readonly retry?: RetryOptions
  /** Limit for one response. Default 30,000. */
  readonly timeoutMs?: number
  /** Limit for a whole call with its waits and retries. Default 120,000. */
  readonly deadlineMs?: number
  /** Requests at the same time. Default 16. */
  readonly concurrency?: number
  /** Calls that wait for their turn. Default 10,000. */
  readonly maxQueued?: number
  /** Replaces the global `fetch`, for example to use a proxy or other certificates. */
  readonly fetch?: typeof globalThis.fetch
  /** Called after every request, including retries and token requests. Errors that it throws are ignored. */
  readonly onLog?: (entry: RequestLog) => void
}

/** Has no credentials, texts or phone numbers. */
export interface RequestLog {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  /** `undefined` if there was no response. */
  readonly status: number | undefined
  readonly durationMs: number
  /** Number of this try of the call, from 1. */
  readonly attempt: number
  /** `Request-Id` of the response, if it had one. */
  readonly requestId: string | undefined
}

export interface Settings extends Required<Omit<ClientOptions, 'retry' | 'onLog'>> {
  readonly retry: Required<RetryOptions>
  readonly onLog: ClientOptions['onLog']
}

export function toSettings(options: ClientOptions): Settings {
  const { protocol } = new URL(options.baseUrl)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`baseUrl must begin with https:// or http://, found ${protocol}`)
  const { retry = {}, fetch, onLog } = options
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    credentials: options.credentials,
    credentialPrefix: options.credentialPrefix ?? 'SVC',
    retry: {
      attempts: atLeast(1, 'retry.attempts', retry.attempts ?? 5),
      delayMs: atLeast(0, 'retry.delayMs', retry.delayMs ?? 250),
      maxDelayMs: atLeast(0, 'retry.maxDelayMs', retry.maxDelayMs ?? 10_000),
    },
    timeoutMs: atLeast(1, 'timeoutMs', options.timeoutMs ?? 30_000),
    deadlineMs: atLeast(1, 'deadlineMs', options.deadlineMs ?? 120_000),
    concurrency: atLeast(1, 'concurrency', options.concurrency ?? 16),
    maxQueued: atLeast(0, 'maxQueued', options.maxQueued ?? 10_000),
    // Edge runtimes refuse a call of fetch as a method of another object.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onLog,
  }
}

function atLeast(minimum: number, name: string, value: number): number {
  if (!(value >= minimum)) throw new RangeError(`${name} must be at least ${minimum}, found ${value}`)
  return value
}
