/** The fields of the RCS request objects, one row for each. */
import { createRows, type ContractRow } from '../row.ts'

export interface ObjectFieldCase {
  /** Name in the submission: a key of the body, or `buttons`. */
  readonly becomes: string
  /** Code of a value of another type, for which `wrongType` is a number by default. */
  readonly code: string
  readonly wrongType?: unknown
  /** Other values that are rejected, with their codes. */
  readonly wrong?: readonly (readonly [value: string, code: string])[]
  /** Set if the format requires the field. */
  readonly isRequired?: true
}

const address = (code: string) => [['no address', code]] as const
const media = (code: string) => [['https://example.com/a.jpg', code]] as const

export const objectFields: Readonly<Record<string, Readonly<Record<string, ObjectFieldCase>>>> = {
  standalone: {
    text: { becomes: 'description', code: 'A415' },
    title: { becomes: 'title', code: 'A415' },
    media: { becomes: 'media', code: 'A415', wrong: media('A415'), isRequired: true },
    mediaUrl: { becomes: 'mediaUrl', code: 'A415', wrong: address('A415') },
    button: { becomes: 'buttons', code: 'A406', wrongType: {} },
    subContent: { becomes: 'subTitle1', code: 'A424', wrongType: {} },
  },
  carousel: {
    text: { becomes: 'description1', code: 'A417' },
    title: { becomes: 'title1', code: 'A417' },
    media: { becomes: 'media1', code: 'A417', wrong: media('A415'), isRequired: true },
    mediaUrl: { becomes: 'mediaUrl1', code: 'A417', wrong: address('A415') },
    button: { becomes: 'buttons', code: 'A406', wrongType: {} },
  },
  template: {
    title: { becomes: 'title', code: 'A415' },
    description: { becomes: 'description', code: 'A415' },
    '{key}': { becomes: '{key}', code: 'A415' },
    subContent: { becomes: 'subTitle1', code: 'A424', wrongType: {} },
  },
  subContent: {
    subTitle: { becomes: 'subTitle1', code: 'A424' },
    subDesc: { becomes: 'subDesc1', code: 'A424' },
    subMedia: { becomes: 'subMedia1', code: 'A424', wrong: media('A424') },
    subMediaUrl: { becomes: 'subMediaUrl1', code: 'A424', wrong: address('A424') },
  },
}

const section = 'Resources · RCS request objects'

function describe({ becomes, code, wrongType, wrong = [], isRequired }: ObjectFieldCase): string {
  const presence = isRequired ? 'is required by a format with an image' : 'may be left out'
  const type = wrongType === undefined ? 'is a string' : 'is a list'
  const values = wrong.map(([value, wrongCode]) => `, '${value}' is ${wrongCode}`).join('')
  return `${type}, ${presence} and becomes ${becomes}; another type is ${code}${values}`
}

const fieldRows: readonly ContractRow[] = Object.entries(objectFields).flatMap(([object, fields]) =>
  createRows(
    section,
    `rcs-field.${object}`,
    Object.entries(fields).map(([name, field]) => [name, `${object} · ${name}`, describe(field)]),
  ),
)

export const rcsObjectFieldRows: readonly ContractRow[] = [
  ...fieldRows,
  ...createRows(section, 'rcs-field.buttons', [
    ['suggestions', 'buttons · suggestions', 'is a list, may be left out for a card; another type is A425'],
    [
      'url',
      'buttons · urlAction.openUrl.url',
      'is a string and passed on unchanged; missing, empty or a number is A406',
    ],
    [
      'displayText',
      'buttons · displayText',
      'is a string and passed on unchanged; missing or a number is A425',
    ],
    [
      'postback',
      'buttons · postback.data',
      'is a string and passed on unchanged, and may be left out; postback without it or with a number is A425',
    ],
  ]),
]
