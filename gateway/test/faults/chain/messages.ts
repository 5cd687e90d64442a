export interface ChainMessage {
  readonly ref: string
  readonly path: string
  readonly body: object
  /** Expected report code. */
  readonly code: string
}

/** Keys of images uploaded to the near installation. */
export interface ChainFiles {
  readonly fileKey: string
  readonly imgUrl: string
}

const from = '0212345678'
const senderKey = 'c'.repeat(40)

interface Shape {
  readonly family: 'text' | 'rcs' | 'kakao'
  /** Whether the channel is sent in a flow. */
  readonly flow: boolean
  readonly channel: string
  readonly content: (text: string, files: ChainFiles) => object
}

const rcs = { from, formatId: 'SS000000', brandKey: 'BR.chain', expiryOption: '2' }
const template = { senderKey, msgType: 'AT', templateCode: 'chain' }

const shapes: readonly Shape[] = [
  { family: 'text', flow: false, channel: 'sms', content: (text) => ({ from, text }) },
  { family: 'text', flow: false, channel: 'international', content: (text) => ({ from, text }) },
  {
    family: 'text',
    flow: false,
    channel: 'mms',
    content: (text, { fileKey }) => ({ from, text, title: 'Chain', fileKey: [fileKey] }),
  },
  {
    family: 'rcs',
    flow: false,
    channel: 'rcs',
    content: (text) => ({ ...rcs, content: { standalone: { text } } }),
  },
  { family: 'kakao', flow: false, channel: 'alimtalk', content: (text) => ({ ...template, text }) },
  {
    family: 'kakao',
    flow: false,
    channel: 'friendtalk',
    content: (text, { imgUrl }) => ({ senderKey, msgType: 'FI', text, imgUrl }),
  },
  {
    family: 'kakao',
    flow: false,
    channel: 'brandmessage',
    content: (text) => ({
      senderKey,
      sendType: 'free',
      msgType: 'FT',
      text,
      unsubscribePhoneNumber: '080-123-4567',
    }),
  },
  { family: 'text', flow: true, channel: 'sms', content: (text) => ({ from, text, ttl: '40' }) },
  {
    family: 'kakao',
    flow: true,
    channel: 'alimtalk',
    content: (text) => ({
      ...template,
      text,
      attachment: { button: [{ type: 'WL', name: 'Open', urlMobile: 'https://example.com/' }] },
    }),
  },
]

const noSubscriber = { text: '23001', rcs: '33001', kakao: '63019' } as const

/**
 * Creates message number `index`. One in eight fails at the carrier or sandbox of the far installation. Texts are
 * unique, for comparison with the carrier.
 */
export function chainMessage(index: number, run: string, files: ChainFiles): ChainMessage {
  const { family, flow, channel, content } = shapes[index % shapes.length]!
  const ref = `${run}-${index}`
  const fails = index % 8 === 3
  const unique = String(1000 + (index % 9000))
  const number = fails ? `${unique}0002` : `${String(1000 + (Math.floor(index / 9000) % 9000))}${unique}`
  const to = channel === 'international' ? `+49151${number}` : `010${number}`
  const filled = content(`chain ${ref}`, files)
  return {
    ref,
    path: flow ? '/v1/send/omni' : `/v1/send/${channel}`,
    body: flow
      ? { destinations: [{ to }], messageFlow: [{ [channel]: filled }], ref }
      : { ...filled, to, ref },
    code: fails ? noSubscriber[family] : '10000',
  }
}
