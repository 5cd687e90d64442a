import {
  silentTtlSeconds,
  type ProtocolExpectation,
  type UploadedImages,
  type HttpProtocol,
  type MessageShape,
} from './protocol.ts'

export interface ProtocolMessage {
  readonly ref: string
  readonly protocol: string
  readonly shape: MessageShape
  readonly ending: string
  readonly expected: ProtocolExpectation
  readonly to: string
  readonly path: string
  readonly body: object
}

/** Plans messages with every behaviour on every channel, each with a unique number and reference. */
export function planProtocol(protocol: HttpProtocol, images: UploadedImages): ProtocolMessage[] {
  return protocol.shapes.flatMap((shape, index) =>
    Object.entries(shape.endings).map(([ending, expected]) => {
      const ref = `${protocol.name}-${shape.channel}-${shape.msgType}-${ending}`
      const to = `${protocol.prefix}${String(index).padStart(2, '0')}${ending}`
      const content = shape.content(`${ref} 안녕하세요`, images)
      const planned = { ref, protocol: protocol.name, shape, ending, expected, to }
      if (!expected.silent || !shape.hasTtl)
        return { ...planned, path: shape.channel, body: { ...content, to, ref } }
      const step = { ...content, ttl: String(silentTtlSeconds) }
      const body = { destinations: [{ to }], messageFlow: [{ [shape.channel]: step }], ref }
      return { ...planned, path: 'omni', body }
    }),
  )
}
