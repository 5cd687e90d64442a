/** Errors of the RBM API in the common format of Google APIs. */
import { json } from '../shared/http-server.ts'
import type { HttpResponse } from '../shared/http-server.ts'

const statuses = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorStatus = keyof typeof statuses

export function errorReply(status: ErrorStatus, message: string): HttpResponse {
  const code = statuses[status]
  return json(code, { error: { code, message, status } })
}
