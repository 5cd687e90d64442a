/**
 * Converts what published SDKs send outside the contract into what the schemas accept. Only the objects of the tree below are
 * entered, so values of the customer (the variables and fields of templates, the carriers' own body) are never touched. The one
 * exception: numbers and booleans in replaceWords become strings.
 */
type Fields = Readonly<Record<string, unknown>>
/** The names of the contract by those that an SDK sends. */
type Renamings = Readonly<Record<string, string>>

const messageNames: Renamings = {
  addtionalContent: 'additionalContent', // JS, Java, Go, C#
  addtioaddtionalContent: 'additionalContent', // Java
  adults: 'adult', // Java, C#
  copyAllow: 'copyAllowed', // C#
}
/** JS and Go. */
const linkNames: Renamings = { urlPC: 'urlPc', schemeIOS: 'schemeIos' }
/** C#, except the first, which Java sends. */
const subContentNames: Renamings = {
  subUrl: 'subMediaUrl',
  SubTitle: 'subTitle',
  SubDesc: 'subDesc',
  SubMedia: 'subMedia',
  SubMediaUrl: 'subMediaUrl',
}
/** C#. */
const actionNames: Renamings = {
  Label: 'label',
  Latitude: 'latitude',
  Longitude: 'longitude',
  FallbackUrl: 'fallbackUrl',
  Query: 'query',
  Text: 'text',
  PhoneNumber: 'phoneNumber',
}

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

/** An object of a body, or an array of such objects. */
interface Place {
  readonly renamings: ReadonlyMap<string, string>
  /** Nested places by field name. */
  readonly below: ReadonlyMap<string, Place>
  /** The other fields are named by the customer. */
  readonly open: boolean
  /** Numbers and booleans are converted to strings. */
  readonly texts?: true
}

function place(renamings: Renamings, below: Readonly<Record<string, Place>> = {}, open = false): Place {
  return { renamings: new Map(Object.entries(renamings)), below: new Map(Object.entries(below)), open }
}

const plain = place({})
const link = place(linkNames)
const subContent = place(subContentNames)
const item = place({}, { list: link, summary: link })
const attachment = place(
  {},
  {
    button: link,
    image: plain,
    coupon: link,
    commerce: plain,
    video: plain,
    item,
    itemHighlight: link,
  },
)
const card = place({}, { button: place(actionNames), subContent })
const message = place(messageNames, {
  button: link,
  fallback: plain,
  link,
  attachment,
  supplement: place({}, { quickReply: link }),
  carousel: place(
    {},
    {
      head: link,
      list: place(messageNames, { attachment }),
      // Java sends the urlPc of the tail as title.
      tail: place({ ...linkNames, title: 'urlPc' }),
    },
  ),
  content: place({}, { standalone: card, carousel: card, template: place({}, { subContent }, true) }),
})
const step = place(
  {},
  {
    sms: message,
    mms: message,
    rcs: message,
    alimtalk: message,
    friendtalk: message,
    brandmessage: message,
  },
)
const replaceWords: Place = { ...place({}, {}, true), texts: true }
// C# sends replaceWord.
const destination = place({ replaceWord: 'replaceWords' }, { replaceWords })
const flow = place({}, { destinations: destination, messageFlow: step, messageForm: step })

/** `channel` is the last segment of the send path, or `form` for a message form. */
export function normalizeSdkBody(channel: string, body: unknown): unknown {
  if (!isFields(body)) return body
  if (channel !== 'omni' && channel !== 'form') return tidy(body, message)
  const { messageFlow, ...rest } = tidy(body, flow)
  // Python always sends `messageFlow: [{}]` with a form.
  const isEmpty =
    typeof rest['messageForm'] === 'string' && Array.isArray(messageFlow) && messageFlow.every(isEmptyObject)
  return messageFlow === undefined || isEmpty ? rest : { ...rest, messageFlow }
}

/** Own properties are defined, not assigned: a body may have a field with the name `__proto__`. */
function tidy(fields: Fields, at: Place): Fields {
  const entries: [string, unknown][] = []
  for (const [sent, given] of Object.entries(fields)) {
    const right = at.renamings.get(sent)
    // With both spellings the intent is unclear: the schema rejects the wrong one.
    const name = right === undefined || Object.hasOwn(fields, right) ? sent : right
    const value = tidyValue(given, name, at)
    if (at.open || !isUnset(name, value)) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

function tidyValue(given: unknown, name: string, at: Place): unknown {
  if (at.texts && (typeof given === 'number' || typeof given === 'boolean')) return String(given)
  const below = at.below.get(name)
  if (below === undefined) return given
  if (Array.isArray(given))
    return given.map((entry: unknown) => (isFields(entry) ? tidy(entry, below) : entry))
  return isFields(given) ? tidy(given, below) : given
}

/** Java and C# send null for a field that is not set. */
function isUnset(name: string, value: unknown): boolean {
  if (value === '') return unsetWhenEmpty.has(name)
  return value === null || (unsetWhenEmptyObject.has(name) && isEmptyObject(value))
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
