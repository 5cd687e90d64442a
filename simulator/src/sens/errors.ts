/** Errors of the API gateway in front of SENS, and of SENS itself. */
import { json } from '../shared/http-server.ts'
import type { HttpReply } from '../shared/http-server.ts'

/** By HTTP status and code, as the error page of the API gateway lists them. */
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

/** The code is a string in the example of the document, and a number in its table. */
export function gatewayError(error: GatewayError): HttpReply {
  const [status, errorCode] = error.split('/')
  return json(Number(status), { error: { errorCode, message: gatewayErrors[error] } })
}

const serviceErrors = { 400: 'Bad Request', 403: 'Forbidden' } as const

export function serviceError(status: keyof typeof serviceErrors, errorMessage: string): HttpReply {
  return json(status, { status, errors: serviceErrors[status], errorMessage })
}

/** SENS answers a lookup of an unknown id with an empty body. */
export const notFound: HttpReply = { status: 404, body: '' }
