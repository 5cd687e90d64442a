/** Domestic SMS: one part, at most 90 bytes of CP949. */
import { Type, type Static } from 'typebox'
import { invalidField, Problem } from '../../platform/problem.ts'
import type { TextChannel, TextStep } from '../channel.ts'
import { checkCharacters, checkRef, numberField, originCidField, refField, textField } from '../fields.ts'
import { isRecipient, isSender } from '../numbers.ts'
import { textReportCodes } from '../report-codes.ts'
import { countCp949Bytes, findUnencodable } from '../text/cp949.ts'
import { normaliseText } from '../text/normalise.ts'
import { domesticPart } from '../text/parts.ts'
import { asText, noFiles, readTtl, textSender } from '../text-channel.ts'

export const maxTextBytes = 90

const Body = Type.Object(
  {
    from: numberField('Sender number, digits only'),
    to: numberField('Recipient number, digits only'),
    text: textField('Content, at most 90 bytes', 2_000),
    ref: refField,
    originCID: originCidField,
  },
  { additionalProperties: false },
)

const Entry = Type.Object(
  {
    from: Body.properties.from,
    text: Body.properties.text,
    ttl: Type.Optional(
      Type.String({ description: 'Seconds in which it must be delivered; 86400 by default' }),
    ),
    originCID: originCidField,
  },
  { additionalProperties: false },
)

export const sms: TextChannel = {
  name: 'sms',
  serviceType: 'SMS',
  schema: Body,
  entry: Entry,
  fieldCodes: { from: 'A302', to: 'A306', text: 'A303', ref: 'A305', ttl: 'A304' },
  draft(candidate) {
    const body = candidate as Static<typeof Body>
    if (!isSender(body.from)) throw invalidField('A302', 'from', 'digits of a sender number are wanted')
    if (!isRecipient(body.to)) throw invalidField('A306', 'to', 'digits of a domestic number are wanted')
    checkRef(body.ref)
    return {
      to: body.to,
      ...(body.ref === undefined ? {} : { ref: body.ref }),
      steps: [toStep(body, '')],
    }
  },
  step(candidate, at) {
    const entry = candidate as Static<typeof Entry>
    if (!isSender(entry.from)) throw invalidField('A302', `${at}from`, 'digits of a sender number are wanted')
    return { ...toStep(entry, at), ...readTtl(entry.ttl, at) }
  },
  files: noFiles,
  msgType: () => 'SM',
  sender: textSender,
  parts: (step) => [domesticPart(asText(step).text)],
  reportCode: (cause) => textReportCodes[cause],
}

function toStep(body: Pick<Static<typeof Body>, 'from' | 'text' | 'originCID'>, at: string): TextStep {
  const text = normaliseText(body.text)
  if (text === '') throw invalidField('A303', `${at}text`, 'it is empty')
  checkCharacters('A303', `${at}text`, text)
  const unencodable = findUnencodable(text)
  if (unencodable !== null) {
    const point = unencodable.character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    throw invalidField(
      'A303',
      `${at}text`,
      `character U+${point} at position ${unencodable.index} cannot be sent by SMS`,
    )
  }
  const bytes = countCp949Bytes(text)
  if (bytes > maxTextBytes) {
    throw new Problem(
      'A328',
      `Text too long: '${at}text' has ${bytes} bytes, at most ${maxTextBytes} (send it as MMS)`,
    )
  }
  return {
    channel: 'sms',
    from: body.from,
    text,
    ...(body.originCID === undefined ? {} : { originCid: body.originCID }),
  }
}
