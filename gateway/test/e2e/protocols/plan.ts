/** The messages to the carriers over HTTP: every behaviour on every channel, each with a unique number and reference. Pure. */
import { silentTtlSeconds, type Ending, type Images, type Protocol, type Shape } from './protocol.ts'

export interface ProtocolMessage {
  readonly ref: string
  readonly protocol: string
  readonly shape: Shape
  readonly ending: string
  readonly expected: Ending
  readonly to: string
  readonly path: string
  readonly body: object
}

export function planProtocol(protocol: Protocol, images: Images): ProtocolMessage[] {
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
