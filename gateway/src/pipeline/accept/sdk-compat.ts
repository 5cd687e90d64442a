/**
 * Converts what published SDKs send outside the contract into what the schemas accept. The tables below list every case
 * with its SDK. Pure: the given body is never changed, and it is returned itself when nothing has to be converted. Only
 * the objects of the tree below are entered, so values of the customer (the variables and fields of templates, the
 * carriers' own body) are never touched; numbers and booleans in replaceWords become strings.
 */
interface Renaming {
  readonly sdk: string
  readonly where: Where
  readonly sends: string
  readonly means: string
}

type Where = 'message' | 'destination' | 'link' | 'tail' | 'action' | 'subContent'

const renamings: readonly Renaming[] = [
  { sdk: 'JS Java Go C#', where: 'message', sends: 'addtionalContent', means: 'additionalContent' },
  { sdk: 'Java', where: 'message', sends: 'addtioaddtionalContent', means: 'additionalContent' },
  { sdk: 'Java C#', where: 'message', sends: 'adults', means: 'adult' },
  { sdk: 'C#', where: 'message', sends: 'copyAllow', means: 'copyAllowed' },
  { sdk: 'C#', where: 'destination', sends: 'replaceWord', means: 'replaceWords' },
  { sdk: 'JS Go', where: 'link', sends: 'urlPC', means: 'urlPc' },
  { sdk: 'JS Go', where: 'link', sends: 'schemeIOS', means: 'schemeIos' },
  { sdk: 'Java', where: 'tail', sends: 'title', means: 'urlPc' },
  { sdk: 'Java', where: 'subContent', sends: 'subUrl', means: 'subMediaUrl' },
  { sdk: 'C#', where: 'subContent', sends: 'SubTitle', means: 'subTitle' },
  { sdk: 'C#', where: 'subContent', sends: 'SubDesc', means: 'subDesc' },
  { sdk: 'C#', where: 'subContent', sends: 'SubMedia', means: 'subMedia' },
  { sdk: 'C#', where: 'subContent', sends: 'SubMediaUrl', means: 'subMediaUrl' },
  { sdk: 'C#', where: 'action', sends: 'Label', means: 'label' },
  { sdk: 'C#', where: 'action', sends: 'Latitude', means: 'latitude' },
  { sdk: 'C#', where: 'action', sends: 'Longitude', means: 'longitude' },
  { sdk: 'C#', where: 'action', sends: 'FallbackUrl', means: 'fallbackUrl' },
  { sdk: 'C#', where: 'action', sends: 'Query', means: 'query' },
  { sdk: 'C#', where: 'action', sends: 'Text', means: 'text' },
  { sdk: 'C#', where: 'action', sends: 'PhoneNumber', means: 'phoneNumber' },
]

/**
 * Optional fields for which '' means "not set": C# fills alimtalk title and header with it, Go urlMobile. Fields that
 * hold the message itself are not listed: an empty text is an error of the client.
 */
const unsetWhenEmpty: ReadonlySet<string> = new Set(
  (
    'title header footer imgUrl imgLink originCID ttl price currencyType adFlag adult pushAlarm groupTagKey ' +
    'targeting additionalContent unsubscribePhoneNumber unsubscribeAuthNumber brandId groupId expiryOption ' +
    'copyAllowed agencyId agencyKey paymentCode messageForm urlMobile urlPc schemeAndroid schemeIos target ' +
    'chatExtra chatEvent bizFormKey bizFormId thumbnailUrl media mediaUrl subMedia subMediaUrl'
  ).split(' '),
)

/** Java sends `fileKey: []` without a file; Go sends an empty summary with every item list. */
const unsetWhenEmptyObject: ReadonlySet<string> = new Set(['fileKey', 'summary'])

interface Place {
  readonly renamings: ReadonlyMap<string, string>
  /** Nested objects by field name; a list applies to each of its objects. */
  readonly below: ReadonlyMap<string, Place>
  /** The other fields are named by the customer. */
  readonly open: boolean
  /** Numbers and booleans are converted to strings. */
  readonly texts?: true
}

function place(wheres: readonly Where[], below: Readonly<Record<string, Place>> = {}, open = false): Place {
  const rows = renamings.filter(({ where }) => wheres.includes(where))
  return {
    renamings: new Map(rows.map(({ sends, means }) => [sends, means])),
    below: new Map(Object.entries(below)),
    open,
  }
}

const plain = place([])
const link = place(['link'])
const subContent = place(['subContent'])
const item = place([], { list: link, summary: link })
const attachment = place([], {
  button: link,
  image: plain,
  coupon: link,
  commerce: plain,
  video: plain,
  item,
  itemHighlight: link,
})
const card = place([], { button: place(['action']), subContent })
const message = place(['message'], {
  button: link,
  fallback: plain,
  link,
  attachment,
  supplement: place([], { quickReply: link }),
  carousel: place([], {
    head: link,
    list: place(['message'], { attachment }),
    tail: place(['link', 'tail']),
  }),
  content: place([], { standalone: card, carousel: card, template: place([], { subContent }, true) }),
})
const step = place([], {
  sms: message,
  mms: message,
  rcs: message,
  alimtalk: message,
  friendtalk: message,
  brandmessage: message,
})
const replaceWords: Place = { ...place([], {}, true), texts: true }
const destination = place(['destination'], { replaceWords })
const flow = place([], { destinations: destination, messageFlow: step, messageForm: step })

/** `channel` is the last segment of the send path, or `form` for a message form. */
export function normalizeSdkBody(channel: string, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  if (channel !== 'omni' && channel !== 'form') return tidy(body as Fields, message)
  const tidied = tidy(body as Fields, flow)
  return hasEmptyFlow(tidied) ? without(tidied, 'messageFlow') : tidied
}

/** Python always sends `messageFlow: [{}]` with a form. */
function hasEmptyFlow({ messageForm, messageFlow }: Fields): boolean {
  return typeof messageForm === 'string' && Array.isArray(messageFlow) && messageFlow.every(isEmptyObject)
}

type Fields = Readonly<Record<string, unknown>>

function tidy(fields: Fields, at: Place): Fields {
  let copy: Record<string, unknown> | undefined
  for (const sent in fields) {
    const given = fields[sent]
    const right = at.renamings.get(sent)
    // With both spellings the intent is unclear: the schema rejects the wrong one.
    const name = right === undefined || right in fields ? sent : right
    const value = tidyValue(given, name, at)
    const dropped = !at.open && isUnset(name, value)
    if (copy === undefined) {
      if (!dropped && name === sent && value === given) continue
      copy = before(sent, fields)
    }
    if (!dropped) copy[name] = value
  }
  return copy ?? fields
}

function tidyValue(given: unknown, name: string, at: Place): unknown {
  if (typeof given === 'object' && given !== null) return tidyBelow(given, at.below.get(name))
  return at.texts && (typeof given === 'number' || typeof given === 'boolean') ? String(given) : given
}

function before(end: string, fields: Fields): Record<string, unknown> {
  const taken: Record<string, unknown> = {}
  for (const name in fields) {
    if (name === end) break
    taken[name] = fields[name]
  }
  return taken
}

function tidyBelow(given: object, at: Place | undefined): object {
  if (at === undefined) return given
  if (!Array.isArray(given)) return tidy(given as Fields, at)
  const list = given as readonly unknown[]
  const tidied = list.map((entry) => (isFields(entry) ? tidy(entry, at) : entry))
  return tidied.every((entry, index) => entry === list[index]) ? list : tidied
}

/** Java and C# send null for a field that is not set. */
function isUnset(name: string, value: unknown): boolean {
  if (value === '') return unsetWhenEmpty.has(name)
  return (
    value === null || (typeof value === 'object' && unsetWhenEmptyObject.has(name) && isEmptyObject(value))
  )
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
}
