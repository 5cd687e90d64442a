/** Why a request failed. Every screen shows it with `ProblemNotice`, which adds what to do next. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** A code of the admin API, or `unreachable`, `unreadable` or `console-error`. */
  readonly code: string
  readonly status: number
  /** Path of the field of the request that is wrong, such as `options.host`. */
  readonly field: string | null
  /** In the row of the audit log. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(
    code: string,
    detail: string,
    more: {
      status?: number
      field?: string | null
      requestId?: string | null
      retryAfterSeconds?: number | null
    } = {},
  ) {
    super(detail)
    this.code = code
    this.status = more.status ?? 0
    this.field = more.field ?? null
    this.requestId = more.requestId ?? null
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem('console-error', String(error))
}

interface ProblemBody {
  readonly code?: unknown
  readonly detail?: unknown
  readonly field?: unknown
  readonly retryAfterSeconds?: unknown
}

/** Reads `application/problem+json`; a proxy may answer with something else. */
export async function readProblem(response: Response): Promise<Problem> {
  const { code, detail, field, retryAfterSeconds } = (await response.json().catch(() => ({}))) as ProblemBody
  const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
  return new Problem(
    text(code, 'unreadable'),
    text(detail, `The server answered ${response.status} without saying why.`),
    {
      status: response.status,
      field: typeof field === 'string' ? field : null,
      requestId: response.headers.get('request-id'),
      retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
    },
  )
}

export const unreachable = (): Problem => new Problem('unreachable', 'The gateway does not answer.')
