/** Errors of the API gateway and of SENS itself. */
import { json } from '../shared/http-server.ts'
import type { HttpResponse } from '../shared/http-server.ts'

/** Messages by HTTP status and code, from the error page of the API gateway. */
const gatewayErrors = {
  '401/200': 'Authentication Failed',
  '401/210': 'Permission Denied',
  '404/300': 'Not Found Exception',
  '429/400': 'Quota Exceeded',
  '429/410': 'Throttle Limited',
  '503/500': 'Endpoint Error',
  '504/510': 'Endpoint Timeout',
} as const

export type GatewayError = keyof typeof gatewayErrors

/** `errorCode` is a string, as in the documented example; the documented table has a number. */
export function gatewayError(error: GatewayError): HttpResponse {
  const [status, errorCode] = error.split('/')
  return json(Number(status), { error: { errorCode, message: gatewayErrors[error] } })
}

const serviceErrors = { 400: 'Bad Request', 403: 'Forbidden' } as const

export function serviceError(status: keyof typeof serviceErrors, errorMessage: string): HttpResponse {
  return json(status, { status, errors: serviceErrors[status], errorMessage })
}

/** SENS responds to a lookup of an unknown id with an empty body. */
export const notFound: HttpResponse = { status: 404, body: '' }
