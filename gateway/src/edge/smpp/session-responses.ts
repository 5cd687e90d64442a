/** Sends the responses to binds and submits, with the parameters that the SMPP version of the client has. */
import type { BindKind, PduOf } from '../../carriers/smpp/pdu.ts'
import { statuses } from '../../carriers/smpp/status.ts'
import { tlvs as known } from '../../carriers/smpp/tlv.ts'
import type { Wire } from '../../carriers/smpp/wire.ts'

export interface SubmitResponse {
  readonly status: number
  readonly messageId: string
  /** Result code and message, for clients of SMPP 5.0. */
  readonly explanation?: string
}

export type BindRequest = PduOf<'bind_receiver'> | PduOf<'bind_transmitter'> | PduOf<'bind_transceiver'>

export const version34 = 0x34
const version50 = 0x50
const serverName = 'postern'
const maxExplanation = 200

export function sendBindResponse(
  wire: Wire,
  version: number,
  kind: BindKind,
  status: number,
  sequence: number,
): void {
  const tlvs = [{ tag: known.interfaceVersion.tag, value: Buffer.of(version34) }]
  const hasVersion = status === statuses.ESME_ROK && version >= version34
  const body = { systemId: serverName, ...(hasVersion ? { tlvs } : {}) }
  wire.send(`${kind}_resp`, status, sequence, body)
}

export function sendSubmitResponse(
  wire: Wire,
  version: number,
  sequence: number,
  { status, messageId, explanation }: SubmitResponse,
): void {
  if (explanation === undefined || version < version50)
    return wire.send('submit_sm_resp', status, sequence, { messageId })
  const value = Buffer.from(`${toAscii(explanation)}\0`, 'latin1')
  const tlvs = [{ tag: known.additionalStatusText.tag, value }]
  wire.send('submit_sm_resp', status, sequence, { messageId, tlvs })
}

function toAscii(text: string): string {
  return text.slice(0, maxExplanation).replace(/[^\x20-\x7e]/g, '?')
}
