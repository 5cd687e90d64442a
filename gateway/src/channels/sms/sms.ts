/** Domestic SMS: one part, at most 90 bytes of CP949. */
import { Type, type Static } from 'typebox'
import { invalidField, Problem } from '../../platform/problem.ts'
import type { Channel } from '../channel.ts'
import { checkCharacters, checkRef, numberField, originCidField, refField, textField } from '../fields.ts'
import { isRecipient, isSender } from '../numbers.ts'
import { textReportCodes } from '../report-codes.ts'
import { countCp949Bytes, findUnencodable } from '../text/cp949.ts'
import { normaliseText } from '../text/normalise.ts'
import { domesticPart } from '../text/parts.ts'

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

export const sms: Channel = {
  name: 'sms',
  serviceType: 'SMS',
  schema: Body,
  fieldCodes: { from: 'A302', to: 'A306', text: 'A303', ref: 'A305' },
  draft(candidate) {
    const body = candidate as Static<typeof Body>
    if (!isSender(body.from)) throw invalidField('A302', 'from', 'digits of a sender number are wanted')
    if (!isRecipient(body.to)) throw invalidField('A306', 'to', 'digits of a domestic number are wanted')
    checkRef(body.ref)
    const text = normaliseText(body.text)
    checkCharacters('A303', 'text', text)
    const unencodable = findUnencodable(text)
    if (unencodable !== null) {
      const point = unencodable.character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      throw invalidField(
        'A303',
        'text',
        `character U+${point} at position ${unencodable.index} cannot be sent by SMS`,
      )
    }
    const bytes = countCp949Bytes(text)
    if (bytes > maxTextBytes) {
      throw new Problem('A328', `Text too long: ${bytes} bytes, at most ${maxTextBytes} (send it as MMS)`)
    }
    return {
      to: body.to,
      ...(body.ref === undefined ? {} : { ref: body.ref }),
      steps: [
        {
          channel: 'sms',
          from: body.from,
          text,
          ...(body.originCID === undefined ? {} : { originCid: body.originCID }),
        },
      ],
    }
  },
  msgType: 'SM',
  parts: (step) => [domesticPart(step.text)],
  reportCode: (cause) => textReportCodes[cause],
}
