/** A failed request. `ProblemNotice` shows it with advice by code. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** Code from the admin API, or `unreachable`, `unreadable` or `console-error`. */
  readonly code: string
  /** HTTP status of a failed response; 0 for every other problem. */
  readonly status: number
  /** Path of the invalid request field, such as `options.host`. */
  readonly field: string | null
  /** Also stored in the audit log row. */
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

/** Reads `application/problem+json`. Tolerates other bodies, which a proxy may return. */
export async function readProblem(response: Response): Promise<Problem> {
  const { code, detail, field, retryAfterSeconds } = (await response.json().catch(() => ({}))) as ProblemBody
  const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
  return new Problem(
    text(code, 'unreadable'),
    text(detail, `The server responded with status ${response.status} and no description.`),
    {
      status: response.status,
      field: typeof field === 'string' ? field : null,
      requestId: response.headers.get('request-id'),
      retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
    },
  )
}

export const unreachable = (): Problem => new Problem('unreachable', 'The gateway does not respond.')
