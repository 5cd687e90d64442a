/**
 * Decodes client requests: bind, submit_sm, data_sm, query_sm and cancel_sm. Returns plain objects without
 * validation (see validate.ts). `body` is a view of the receive buffer: copy it to keep it beyond the current
 * turn of the event loop.
 */
import { Cursor } from './cursor.ts'
import { command, tag } from './protocol.ts'

export interface Bind {
  readonly systemId: string
  readonly password: string
}

export interface Address {
  readonly ton: number
  readonly npi: number
  readonly digits: string
}

export interface SarFields {
  ref?: number
  total?: number
  sequence?: number
}

export interface SmppSubmission {
  readonly commandId: number
  readonly serviceType: string
  readonly from: Address
  readonly to: Address
  readonly esmClass: number
  readonly schedule: string
  readonly validity: string
  readonly registeredDelivery: number
  readonly dataCoding: number
  /** Content of short_message, or of message_payload if present; includes any user data header. */
  readonly body: Buffer
  readonly shortLength: number
  readonly hasPayload: boolean
  readonly sar: SarFields | undefined
}

export function readBind(cursor: Cursor): Bind {
  const systemId = cursor.cstring()
  const password = cursor.cstring()
  return { systemId, password }
}

export interface MessageQuery {
  readonly messageId: string
  readonly from: Address
}

export function readQuery(cursor: Cursor): MessageQuery {
  return { messageId: cursor.cstring(), from: readAddress(cursor) }
}

/** Ignores the recipient, because the message id identifies the message. */
export function readCancel(cursor: Cursor): MessageQuery {
  cursor.cstring() // service_type
  return readQuery(cursor)
}

function readAddress(cursor: Cursor): Address {
  return { ton: cursor.uint8(), npi: cursor.uint8(), digits: cursor.cstring() }
}

interface Optional {
  payload: Buffer | undefined
  sar: SarFields | undefined
}

const NO_OPTIONAL: Optional = { payload: undefined, sar: undefined }

function readOptional(cursor: Cursor): Optional {
  if (cursor.position === cursor.end) return NO_OPTIONAL
  const found: Optional = { payload: undefined, sar: undefined }
  const { bytes } = cursor
  for (let tlv = cursor.tlv(); tlv !== undefined; tlv = cursor.tlv()) {
    const width = tlv.end - tlv.start
    if (tlv.tag === tag.message_payload) found.payload = bytes.subarray(tlv.start, tlv.end)
    else if (tlv.tag === tag.sar_msg_ref_num && width === 2) {
      ;(found.sar ??= {}).ref = bytes.readUInt16BE(tlv.start)
    } else if (tlv.tag === tag.sar_total_segments && width === 1) {
      ;(found.sar ??= {}).total = bytes[tlv.start]!
    } else if (tlv.tag === tag.sar_segment_seqnum && width === 1) {
      ;(found.sar ??= {}).sequence = bytes[tlv.start]!
    }
  }
  return found
}

const EMPTY = Buffer.alloc(0)

export function readSubmission(cursor: Cursor, commandId: number): SmppSubmission {
  const isData = commandId === command.data_sm
  const serviceType = cursor.cstring()
  const from = readAddress(cursor)
  const to = readAddress(cursor)
  const esmClass = cursor.uint8()
  if (!isData) cursor.take(2) // protocol_id, priority_flag
  const schedule = isData ? '' : cursor.cstring()
  const validity = isData ? '' : cursor.cstring()
  const registeredDelivery = cursor.uint8()
  if (!isData) cursor.uint8() // replace_if_present_flag
  const dataCoding = cursor.uint8()
  if (!isData) cursor.uint8() // sm_default_msg_id
  const shortMessage = isData ? EMPTY : cursor.take(cursor.uint8())
  const { payload, sar } = readOptional(cursor)
  return {
    commandId,
    serviceType,
    from,
    to,
    esmClass,
    schedule,
    validity,
    registeredDelivery,
    dataCoding,
    body: payload ?? shortMessage,
    shortLength: shortMessage.length,
    hasPayload: payload !== undefined,
    sar,
  }
}
