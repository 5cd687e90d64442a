/** `password` is a password or a key; the client requests and renews tokens. `apiKey` needs no token. */
export type Credentials =
  | { readonly clientId: string; readonly password: string }
  | { readonly apiKey: string }

export interface RetryOptions {
  /** Attempts of a call without a response or with a 5xx. 1 disables retries. Default 5. */
  readonly attempts?: number
  /** Delay before the second attempt; doubles with each further attempt, up to `maxDelayMs`. Default 250. */
  readonly delayMs?: number
  /** Longest delay between two attempts. Default 10,000. */
  readonly maxDelayMs?: number
}

export interface ClientOptions {
  /** URL of the API, such as `https://gateway.example`. */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Prefix of token request headers: `SVC` stands for `X-SVC-Client-Id`. Default `SVC`. */
  readonly credentialPrefix?: string
  readonly retry?: RetryOptions
  /** Limit for one response. Default 30,000. */
  readonly timeoutMs?: number
  /** Limit for a call including waits and retries. Default 120,000. */
  readonly deadlineMs?: number
  /** Maximum concurrent requests. Default 16. */
  readonly concurrency?: number
  /** Maximum calls waiting for a request slot, and maximum calls waiting for a rate limit. Default 10,000. */
  readonly maxQueued?: number
  /** Replaces the global `fetch`, for example to use a proxy or other certificates. */
  readonly fetch?: typeof globalThis.fetch
  /** Called after every request, including retries and token requests. Errors that it throws are ignored. */
  readonly onLog?: (entry: RequestLog) => void
}

/** Log entry of one request, without credentials, message texts or phone numbers. */
export interface RequestLog {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  /** `undefined` if there was no response. */
  readonly status: number | undefined
  readonly durationMs: number
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** `Request-Id` of the response, if it has one. */
  readonly requestId: string | undefined
}

export interface Settings extends Required<Omit<ClientOptions, 'retry' | 'onLog'>> {
  readonly retry: Required<RetryOptions>
  readonly onLog: ClientOptions['onLog']
}

export function toSettings(options: ClientOptions): Settings {
  const { protocol } = new URL(options.baseUrl)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`baseUrl must start with https:// or http://, got ${protocol}`)
  const { retry = {}, fetch, onLog } = options
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    credentials: options.credentials,
    credentialPrefix: options.credentialPrefix ?? 'SVC',
    retry: {
      attempts: checkMinimum(1, 'retry.attempts', retry.attempts ?? 5),
      delayMs: checkMinimum(0, 'retry.delayMs', retry.delayMs ?? 250),
      maxDelayMs: checkMinimum(0, 'retry.maxDelayMs', retry.maxDelayMs ?? 10_000),
    },
    timeoutMs: checkMinimum(1, 'timeoutMs', options.timeoutMs ?? 30_000),
    deadlineMs: checkMinimum(1, 'deadlineMs', options.deadlineMs ?? 120_000),
    concurrency: checkMinimum(1, 'concurrency', options.concurrency ?? 16),
    maxQueued: checkMinimum(0, 'maxQueued', options.maxQueued ?? 10_000),
    // Edge runtimes reject `fetch` called as a method of another object.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onLog,
  }
}

function checkMinimum(minimum: number, name: string, value: number): number {
  if (!(value >= minimum)) throw new RangeError(`${name} must be at least ${minimum}, got ${value}`)
  return value
}
