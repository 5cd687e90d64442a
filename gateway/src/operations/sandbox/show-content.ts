import { isAdvertisement } from '../../channels/advertisement.ts'
import type { Step } from '../../channels/channel.ts'
import { toChannelContent } from '../../channels/content.ts'
import { channels } from '../../channels/registry.ts'
import {
  emptyBubble,
  emptyCard,
  nonEmpty,
  type Bubble,
  type BubbleImage,
  type ImageLookup,
} from './bubble.ts'
import { showAlimtalk, showKakaoBubble } from './show-kakao.ts'
import { showRcs } from './show-rcs.ts'

/** Returns the bubble of a step, or null if the content is erased or unreadable. */
export function showContent(step: Step): Bubble | null {
  try {
    return { ...show(step), advertisement: isAdvertisement(step) }
  } catch {
    // Erased content lacks the required fields of its channel.
    return null
  }
}

function show(step: Step): Bubble {
  const imageOf = createImageLookup(step)
  const message = toChannelContent(step)
  switch (message.channel) {
    case 'sms':
    case 'international':
      return { ...emptyBubble, cards: [{ ...emptyCard, text: message.content.text }] }
    case 'mms': {
      const { title, text, fileKeys } = message.content
      const images = fileKeys.flatMap((key) => imageOf(key))
      return { ...emptyBubble, cards: [{ ...emptyCard, images, title: nonEmpty(title), text }] }
    }
    case 'rcs':
      return showRcs(message.content, imageOf)
    case 'alimtalk':
      return showAlimtalk(message.content)
    case 'friendtalk':
      return showKakaoBubble(message.content, imageOf)
    case 'brandmessage': {
      const { templateCode, variables, unsubscribePhoneNumber } = message.content
      const bubble = showKakaoBubble(message.content, imageOf, variables)
      const footer = unsubscribePhoneNumber === undefined ? null : `무료수신거부 ${unsubscribePhoneNumber}`
      return { ...bubble, template: nonEmpty(templateCode), footer: bubble.footer ?? footer }
    }
  }
}

function createImageLookup(step: Step): ImageLookup {
  const files = channels[step.channel].files(step)
  return (reference, pressUrl) => {
    if (reference === undefined || reference === '') return []
    const fileIndex = files.findIndex(({ key }) => key === reference)
    const image: BubbleImage = {
      file: fileIndex < 0 ? null : fileIndex,
      address: fileIndex < 0 ? reference : null,
      opens: nonEmpty(pressUrl),
    }
    return [image]
  }
}
