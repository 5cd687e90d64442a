/**
 * Converts what published SDKs send outside the contract into what the schemas accept. Only objects in the
 * tree below are changed, so customer values (the variables and fields of templates, the carriers' own body)
 * are never touched, with one exception: numbers and booleans in replaceWords become strings.
 */
type Fields = Readonly<Record<string, unknown>>
/** Names of the contract by those that an SDK sends. */
type Renamings = Readonly<Record<string, string>>

const messageNames: Renamings = {
  addtionalContent: 'additionalContent', // JS, Java, Go, C#
  addtioaddtionalContent: 'additionalContent', // Java
  adults: 'adult', // Java, C#
  copyAllow: 'copyAllowed', // C#
}
/** Sent by JS and Go. */
const linkNames: Renamings = { urlPC: 'urlPc', schemeIOS: 'schemeIos' }
/** Sent by C#, except the first, which Java sends. */
const subContentNames: Renamings = {
  subUrl: 'subMediaUrl',
  SubTitle: 'subTitle',
  SubDesc: 'subDesc',
  SubMedia: 'subMedia',
  SubMediaUrl: 'subMediaUrl',
}
/** Sent by C#. */
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
 * Optional fields for which '' means "not set": C# fills alimtalk title and header with it, Go urlMobile.
 * Fields that hold the message itself are not listed, because an empty text is an error of the client.
 */
const unsetWhenEmpty: ReadonlySet<string> = new Set(
  (
    'title header footer imgUrl imgLink originCID ttl price currencyType adFlag adult pushAlarm groupTagKey ' +
    'targeting additionalContent unsubscribePhoneNumber unsubscribeAuthNumber brandId groupId expiryOption ' +
    'copyAllowed agencyId agencyKey paymentCode messageForm urlMobile urlPc schemeAndroid schemeIos target ' +
    'chatExtra chatEvent bizFormKey bizFormId thumbnailUrl media mediaUrl subMedia subMediaUrl'
  ).split(' '),
)

/**
 * Java sends `fileKey: []` without a file; Go sends an empty summary with every item list. JavaScript sends an empty
 * content beside a body, because its type requires one. PHP writes an object without fields as an array.
 */
const unsetWhenEmptyObject: ReadonlySet<string> = new Set(['fileKey', 'summary', 'content', 'replaceWords'])

/** Sent by Go; the contract gives them no meaning. */
const meaningless: ReadonlySet<string> = new Set(['clientKey', 'rcsData'])

/** An object of a body, or an array of such objects. */
interface ObjectRule {
  readonly renamings: ReadonlyMap<string, string>
  /** Rules of nested objects by field name. */
  readonly below: ReadonlyMap<string, ObjectRule>
  /** The customer names the other fields. */
  readonly open: boolean
  /** Numbers and booleans are converted to strings; null is no value. */
  readonly texts?: true
}

function rule(
  renamings: Renamings,
  below: Readonly<Record<string, ObjectRule>> = {},
  open = false,
): ObjectRule {
  return { renamings: new Map(Object.entries(renamings)), below: new Map(Object.entries(below)), open }
}

const plain = rule({})
const link = rule(linkNames)
const subContent = rule(subContentNames)
const item = rule({}, { list: link, summary: link })
const attachment = rule(
  {},
  { button: link, image: plain, coupon: link, commerce: plain, video: plain, item, itemHighlight: link },
)
const card = rule({}, { button: rule(actionNames), subContent })
const message = rule(messageNames, {
  button: link,
  fallback: plain,
  link,
  attachment,
  supplement: rule({}, { quickReply: link }),
  carousel: rule(
    {},
    {
      head: link,
      list: rule(messageNames, { attachment }),
      // Java sends the urlPc of the tail as title.
      tail: rule({ ...linkNames, title: 'urlPc' }),
    },
  ),
  content: rule({}, { standalone: card, carousel: card, template: rule({}, { subContent }, true) }),
})
const step = rule(
  {},
  { sms: message, mms: message, rcs: message, alimtalk: message, friendtalk: message, brandmessage: message },
)
const replaceWords: ObjectRule = { ...rule({}, {}, true), texts: true }
// C# sends replaceWord.
const destination = rule({ replaceWord: 'replaceWords' }, { replaceWords })
const flow = rule(
  {},
  { destinations: destination, recipients: destination, messageFlow: step, messageForm: step },
)

/** Normalizes a body; `channel` is the last segment of the send path, or `form` for a message form. */
export function normalizeSdkBody(channel: string, body: unknown): unknown {
  if (!isFields(body)) return body
  if (channel !== 'omni' && channel !== 'form') return normalizeFields(body, message)
  const { messageFlow, ...rest } = normalizeFields(body, flow)
  // Python always sends `messageFlow: [{}]` with a form.
  const isEmpty =
    typeof rest['messageForm'] === 'string' && Array.isArray(messageFlow) && messageFlow.every(isEmptyObject)
  return messageFlow === undefined || isEmpty ? rest : { ...rest, messageFlow }
}

/**
 * Normalizes the fields of an object. Own properties are defined, not assigned, because a field may be named
 * `__proto__`.
 */
function normalizeFields(fields: Fields, at: ObjectRule): Fields {
  const entries: [string, unknown][] = []
  for (const [sent, original] of Object.entries(fields)) {
    const right = at.renamings.get(sent)
    // If both spellings are present the intent is unclear, and the schema rejects the wrong one.
    const name = right === undefined || Object.hasOwn(fields, right) ? sent : right
    const value = normalizeValue(original, name, at)
    if (!isLeftOut(name, value, at)) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

function normalizeValue(value: unknown, name: string, at: ObjectRule): unknown {
  if (at.texts && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  const below = at.below.get(name)
  if (below === undefined) return value
  if (Array.isArray(value))
    return value.map((entry: unknown) => (isFields(entry) ? normalizeFields(entry, below) : entry))
  return isFields(value) ? normalizeFields(value, below) : value
}

function isLeftOut(name: string, value: unknown, { open, texts }: ObjectRule): boolean {
  if (open) return texts === true && value === null
  return meaningless.has(name) || isUnset(name, value)
}

/** Reports whether an SDK sent the field as not set; Java and C# send null. */
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
