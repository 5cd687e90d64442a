/** Why a request failed, with what to do next. Every screen shows it with `ProblemNotice`. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** A code of the admin API, or `unreachable`. */
  readonly code: string
  readonly action: string
  readonly status: number
  /** Path of the field of the request that is wrong, such as `options.host`. */
  readonly field: string | null
  /** In the row of the audit log. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(
    code: string,
    result: string,
    action: string,
    more: {
      status?: number
      field?: string | null
      requestId?: string | null
      retryAfterSeconds?: number | null
    } = {},
  ) {
    super(result)
    this.code = code
    this.action = action
    this.status = more.status ?? 0
    this.field = more.field ?? null
    this.requestId = more.requestId ?? null
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem('console-error', String(error), 'Reload the page; if it stays, report it as a bug.')
}

interface Answer {
  readonly code?: unknown
  readonly result?: unknown
  readonly action?: unknown
  readonly field?: unknown
}

export async function readProblem(response: Response): Promise<Problem> {
  const answer = (await response.json().catch(() => ({}))) as Answer
  const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
  const retryAfter = Number(response.headers.get('retry-after'))
  return new Problem(
    text(answer.code, 'unreadable'),
    text(answer.result, `The server answered ${response.status} without saying why.`),
    text(answer.action, 'Repeat the request; see the log of the gateway if it stays.'),
    {
      status: response.status,
      field: typeof answer.field === 'string' ? answer.field : null,
      requestId: response.headers.get('request-id'),
      retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
    },
  )
}

export const unreachable = (): Problem =>
  new Problem(
    'unreachable',
    'The gateway does not answer.',
    'Check your network, and that the process of the admin API runs.',
  )
