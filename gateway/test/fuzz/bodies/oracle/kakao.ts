/** Checks the limits of alimtalk, friendtalk and brandmessage, from the contract's tables. */
import { checkBubble } from './bubble.ts'
import { checkButtons, checkLink } from './kakao-parts.ts'
import { toFields, toArray, type Violations, type Fields } from './fields.ts'
import { checkOrigin } from './plain.ts'

const quickReplyTypes = ['WL', 'AL', 'BK', 'BC', 'BT', 'BF', 'MD']

export function checkAlimtalk(content: Fields, found: Violations, at: string): void {
  found.needs(content['senderKey'], 40, `${at}senderKey`)
  found.oneOf(content['msgType'], ['AT', 'AI'], `${at}msgType`)
  found.needs(content['templateCode'], 50, `${at}templateCode`)
  found.needs(content['text'], 1_000, `${at}text`)
  found.within(content['title'], 50, `${at}title`)
  found.within(content['header'], 16, `${at}header`)
  if (content['link'] !== undefined) {
    for (const name of ['urlMobile', 'urlPc']) {
      found.needs(toFields(content['link'])[name], Infinity, `${at}link.${name}`)
    }
  }
  checkButtons(content['button'], { min: 0, max: 5, name: 14 }, found, `${at}button`)
  checkAlimtalkAttachment(content, found, `${at}attachment.`)
  const { quickReply } = toFields(content['supplement'])
  for (const candidate of toArray(quickReply)) {
    const reply = toFields(candidate)
    found.oneOf(reply['type'], quickReplyTypes, `${at}quickReply.type`)
    found.needs(reply['name'], 14, `${at}quickReply.name`)
    checkLink(reply, found, `${at}quickReply`)
  }
  if (content['currencyType'] !== undefined) {
    found.oneOf(content['currencyType'], ['KRW', 'USD', 'EUR'], `${at}currencyType`)
  }
}

function checkAlimtalkAttachment(content: Fields, found: Violations, at: string): void {
  const { button, item, itemHighlight } = toFields(content['attachment'])
  checkButtons(button, { min: 0, max: 5, name: 14 }, found, `${at}button`)
  if (item !== undefined) {
    const { list, summary } = toFields(item)
    found.count(list, 2, 10, `${at}item.list`)
    for (const candidate of toArray(list)) {
      found.needs(toFields(candidate)['title'], 6, `${at}item.title`)
      found.within(toFields(candidate)['description'], 23, `${at}item.description`)
    }
    if (summary !== undefined) {
      found.needs(toFields(summary)['title'], 6, `${at}summary.title`)
      found.needs(toFields(summary)['description'], 14, `${at}summary.description`)
    }
  }
  const pictured = content['msgType'] === 'AI'
  found.within(toFields(itemHighlight)['title'], pictured ? 21 : 30, `${at}itemHighlight.title`)
  found.within(toFields(itemHighlight)['description'], pictured ? 13 : 19, `${at}itemHighlight.description`)
}

/** `simple` means the body of a single send, which accepts fewer types. */
export function checkFriendtalk(content: Fields, found: Violations, at: string, simple: boolean): void {
  if (simple) found.oneOf(content['msgType'], ['FT', 'FI', 'FW'], `${at}msgType`)
  checkBubble(content, found, at, true)
}

export function checkBrandmessage(content: Fields, found: Violations, at: string): void {
  found.oneOf(content['sendType'], ['basic', 'free'], `${at}sendType`)
  const basic = content['sendType'] === 'basic'
  if (basic) {
    found.oneOf(content['targeting'], ['M', 'N', 'I'], `${at}targeting`)
    found.needs(content['templateCode'], 50, `${at}templateCode`)
    found.expect(content['adult'] === undefined, `${at}adult with basic`)
  } else {
    const variables = Object.keys(content).filter((name) => name.endsWith('Variable'))
    found.expect(variables.length === 0, `${at}${variables.join()} with free`)
  }
  // A template supplies the fields that a basic message omits.
  checkBubble(content, found, at, !basic)
  found.within(content['unsubscribePhoneNumber'], 13, `${at}unsubscribePhoneNumber`)
  found.within(content['unsubscribeAuthNumber'], 10, `${at}unsubscribeAuthNumber`)
  checkOrigin(content, found, at)
}
