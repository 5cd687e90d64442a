import { FieldProblem, Problem } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import { statuses } from '../../carriers/smpp/status.ts'

/**
 * The command_status of each result code; docs/reference/smpp.md lists them. Codes that are not listed
 * refuse the send permanently: ESME_RSUBMITFAIL.
 */
export const statusesByCode: Partial<Readonly<Record<ResultCode, number>>> = {
  A020: statuses.ESME_RTHROTTLED,
  A302: statuses.ESME_RINVSRCADR,
  A323: statuses.ESME_RINVSRCADR,
  A327: statuses.ESME_RINVSRCADR,
  A304: statuses.ESME_RINVEXPIRY,
  A306: statuses.ESME_RINVDSTADR,
  A328: statuses.ESME_RINVMSGLEN,
  A920: statuses.ESME_RSYSERR,
  A999: statuses.ESME_RSYSERR,
}

/**
 * Returns the status of a submit_sm. Errors other than a refusal by the contract are temporary: the client
 * can retry.
 */
export function submitStatus(error: unknown): number {
  if (!(error instanceof Problem)) return statuses.ESME_RSYSERR
  if (error instanceof FieldProblem && error.field === 'sendAt') return statuses.ESME_RINVSCHED
  return statusesByCode[error.code] ?? statuses.ESME_RSUBMITFAIL
}

/** Reports whether the same submit_sm may succeed later. */
export function isTemporary(status: number): boolean {
  return status === statuses.ESME_RTHROTTLED || status === statuses.ESME_RSYSERR
}

/** Returns the status of a bind. An unknown system_id and a wrong password get the same one. */
export function bindStatus(error: unknown): number {
  if (!(error instanceof Problem)) return statuses.ESME_RSYSERR
  if (error.code === 'A100') return statuses.ESME_RINVPASWD
  return statusesByCode[error.code] ?? statuses.ESME_RBINDFAIL
}
