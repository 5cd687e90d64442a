import { createRows, type ContractRow } from '../row.ts'
import { rcsObjectFieldRows } from './rcs-object-fields.ts'

type ButtonValues = Readonly<Record<string, readonly [valid: string, invalid: string]>>

/** Fields of a button type, each with a valid and an invalid value, and the code for invalid ones. */
export interface ButtonCase {
  readonly code: string
  readonly fields: ButtonValues
  readonly optional?: ButtonValues
  /** Resulting action of the carrier standard. */
  readonly action: string
}

const url = ['https://example.com/a', 'no address'] as const
const phone = ['0212345678', 'not a number'] as const
const time = ['2026-12-01T09:00:00+09:00', '2026-12-01 09:00'] as const
const words = ['some words', ''] as const

export const buttonCases: Readonly<Record<string, ButtonCase>> = {
  URL: { code: 'A406', fields: { url }, action: 'urlAction.openUrl' },
  MAP_LOC: {
    code: 'A428',
    fields: { latitude: ['37.5', '91'], longitude: ['127.5', '181'] },
    optional: { label: ['some words', 'x'.repeat(201)], fallbackUrl: url },
    action: 'mapAction.showLocation',
  },
  MAP_QRY: {
    code: 'A429',
    fields: { query: words },
    optional: { fallbackUrl: url },
    action: 'mapAction.showLocation',
  },
  MAP_SEND: { code: 'A406', fields: {}, action: 'mapAction.requestLocationPush' },
  CALENDAR: {
    code: 'A430',
    fields: { startTime: time, endTime: time, title: words },
    optional: { description: ['some words', 'x'.repeat(501)] },
    action: 'calendarAction.createCalendarEvent',
  },
  COPY: { code: 'A431', fields: { text: words }, action: 'clipboardAction.copyToClipboard' },
  COM_T: {
    code: 'A432',
    fields: { phoneNumber: phone, text: words },
    action: 'composeAction.composeTextMessage',
  },
  COM_V: { code: 'A433', fields: { phoneNumber: phone }, action: 'composeAction.composeRecordingMessage' },
  DIAL: { code: 'A434', fields: { phoneNumber: phone }, action: 'dialerAction.dialPhoneNumber' },
}

const buttonSection = 'Resources · RCS request objects · button types'

const buttonRows: ContractRow[] = Object.entries(buttonCases).map(
  ([type, { code, fields, optional = {}, action }]) => ({
    id: `button.${type}`,
    section: buttonSection,
    row: type,
    proof:
      `accepts ${['name', ...Object.keys(fields)].join(', ')}` +
      `${Object.keys(optional)
        .map((name) => `, optional ${name}`)
        .join('')} and becomes ${action}; ` +
      `name missing is A427, a missing, wrong or foreign field ${code}`,
  }),
)

const buttonFieldRows: ContractRow[] = Object.entries(buttonCases).flatMap(
  ([type, { code, fields, optional = {} }]) =>
    createRows(buttonSection, `button.${type}`, [
      ['name', `${type} · name`, 'is required and becomes displayText; missing, empty or a number is A427'],
      ...Object.keys(fields).map(
        (name) =>
          [
            name,
            `${type} · ${name}`,
            `is required and in the action; missing or wrong is ${code}, a number A406`,
          ] as const,
      ),
      ...Object.keys(optional).map(
        (name) =>
          [
            name,
            `${type} · ${name}`,
            `is in the action and may be left out; wrong is ${code}, a number A406`,
          ] as const,
      ),
    ]),
)

export const rcsObjectRows = [
  ...createRows('Resources · RCS request objects', 'rcs-object', [
    ['content', 'content', 'holds exactly one of standalone, carousel and template; none and two are A415'],
    [
      'standalone',
      'standalone',
      'accepts text, title, media, mediaUrl, button and subContent, and no other field',
    ],
    [
      'standalone-types',
      'standalone',
      'accepts media as maapfile:// or as the fileKey of an upload (A415), and lists of buttons and sub-infos',
    ],
    ['carousel', 'carousel item', 'accepts text, title, media, mediaUrl and button, and no subContent'],
    ['template', 'template', 'accepts title, description, any registered key and subContent'],
    ['template-types', 'template', 'accepts strings only: a number is A415'],
    [
      'subContent',
      'subContent item',
      'accepts subTitle, subDesc, subMedia and subMediaUrl, and no other field',
    ],
    ['body', 'body', 'accepts numbered keys of carousels and keys of cell layouts, as strings or objects'],
    ['body-types', 'body', 'rejects a number as the value of a key (A425)'],
    [
      'buttons',
      'buttons',
      'accepts suggestions with urlAction, displayText and optional postback, and passes them on',
    ],
    [
      'buttons-types',
      'buttons',
      'rejects a suggestion without displayText (A425) or without an address (A406)',
    ],
    ['fallback', 'fallback', 'is an object; a string is rejected (A300)'],
  ]),
  ...rcsObjectFieldRows,
  ...buttonRows,
  ...buttonFieldRows,
  {
    id: 'button.unknown',
    section: buttonSection,
    row: 'type',
    proof: 'is one of the nine, any other is A426',
  },
]
