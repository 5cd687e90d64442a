/** The bubble of a step, of any channel. Pure. */
import { isAdvertisement } from '../../channels/advertisement.ts'
import type { Step } from '../../channels/channel.ts'
import { contentOf } from '../../channels/content.ts'
import { channels } from '../../channels/registry.ts'
import { emptyBubble, emptyCard, given, type Bubble, type Image, type ImageOf } from './bubble.ts'
import { showAlimtalk, showKakaoBubble } from './show-kakao.ts'
import { showRcs } from './show-rcs.ts'

/** Null when the content is erased, or cannot be read. */
export function showContent(step: Step): Bubble | null {
  try {
    return { ...show(step), advertisement: isAdvertisement(step) }
  } catch {
    // An erased content has none of the fields that its channel needs.
    return null
  }
}

function show(step: Step): Bubble {
  const imageOf = imagesOf(step)
  const message = contentOf(step)
  switch (message.channel) {
    case 'sms':
    case 'international':
      return { ...emptyBubble, cards: [{ ...emptyCard, text: message.content.text }] }
    case 'mms': {
      const { title, text, fileKeys } = message.content
      const images = fileKeys.flatMap((key) => imageOf(key))
      return { ...emptyBubble, cards: [{ ...emptyCard, images, title: given(title), text }] }
    }
    case 'rcs':
      return showRcs(message.content, imageOf)
    case 'alimtalk':
      return showAlimtalk(message.content)
    case 'friendtalk':
      return showKakaoBubble(message.content, imageOf)
    case 'brandmessage': {
      const { templateCode, variables, unsubscribePhoneNumber } = message.content
      const shown = showKakaoBubble(message.content, imageOf, variables)
      const footer = unsubscribePhoneNumber === undefined ? null : `무료수신거부 ${unsubscribePhoneNumber}`
      return { ...shown, template: given(templateCode), footer: shown.footer ?? footer }
    }
  }
}

function imagesOf(step: Step): ImageOf {
  const files = channels[step.channel].files(step)
  return (reference, opens) => {
    if (reference === undefined || reference === '') return []
    const file = files.findIndex(({ key }) => key === reference)
    const image: Image = {
      file: file < 0 ? null : file,
      address: file < 0 ? reference : null,
      opens: given(opens),
    }
    return [image]
  }
}
