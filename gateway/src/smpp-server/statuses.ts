/** The command_status of each result code of the contract; docs/smpp-server.md lists them. Pure. */
import { FieldProblem, Problem } from '../contract/problem.ts'
import type { ResultCode } from '../contract/result-codes.ts'
import { statuses } from '../smpp/status.ts'

/** Result codes that are not listed here mean a send that is refused for good: ESME_RSUBMITFAIL. */
export const statusOfCode: Partial<Readonly<Record<ResultCode, number>>> = {
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

/** Of a submit_sm. Whatever is no refusal by the contract is temporary: the client may send it again. */
export function submitStatus(error: unknown): number {
  if (!(error instanceof Problem)) return statuses.ESME_RSYSERR
  if (error instanceof FieldProblem && error.field === 'sendAt') return statuses.ESME_RINVSCHED
  return statusOfCode[error.code] ?? statuses.ESME_RSUBMITFAIL
}

/** Whether the same submit_sm may succeed later. */
export function isTemporary(status: number): boolean {
  return status === statuses.ESME_RTHROTTLED || status === statuses.ESME_RSYSERR
}

/** Of a bind. An unknown system_id and a wrong password are answered alike. */
export function bindStatus(error: unknown): number {
  if (!(error instanceof Problem)) return statuses.ESME_RSYSERR
  if (error.code === 'A100') return statuses.ESME_RINVPASWD
  return statusOfCode[error.code] ?? statuses.ESME_RBINDFAIL
}
