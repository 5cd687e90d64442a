/**
 * The message that a connector to an RCS carrier receives: the carrier-standard body and buttons, whichever
 * style the client used, with every default explicit.
 */
import { isFileKey } from '../../contract/file-key.ts'
import { normalizeText } from '../text/normalize.ts'
import type { Entry } from './entry.ts'
import { findFormat, type Product } from './formats.ts'
import { defaultExpiryOption, expirySeconds, type ExpiryOption } from './limits.ts'
import type { RcsBody, RcsCard, CardButtons, SubContent } from './schema.ts'
import { toSuggestion } from './suggestions.ts'
import { toMedia } from './values.ts'

interface Options {
  /** Can be present without header '1', which some carriers reject. */
  readonly footer?: string
  /** If absent, the connector fills it in: it knows its agency and its brand. */
  readonly brandKey?: string
  readonly brandId?: string
  readonly groupId?: string
  readonly agencyId?: string
  readonly agencyKey?: string
}

export interface SubmissionContent extends Options {
  readonly from: string
  readonly messagebaseId: string
  /** `null` for an issued template: only the carrier knows its kind. */
  readonly product: Product | null
  readonly body: Readonly<RcsBody>
  /** One element for each card in order, `{}` for a card without buttons; empty if no card has any. */
  readonly buttons: readonly CardButtons[]
  readonly header: '0' | '1'
  readonly expiryOption: ExpiryOption
  readonly copyAllowed: boolean
}

export function toSubmission(entry: Entry): SubmissionContent {
  const { brandKey, brandId, groupId, agencyId, agencyKey, footer } = entry
  const options: Options = normalizePresent({ footer, brandKey, brandId, groupId, agencyId, agencyKey })
  return {
    from: entry.from,
    messagebaseId: entry.formatId,
    product: findFormat(entry.formatId)?.product ?? null,
    body: toBody(entry),
    buttons: entry.buttons ?? toButtons(entry),
    header: entry.header ?? '0',
    expiryOption: entry.expiryOption ?? defaultExpiryOption,
    copyAllowed: entry.copyAllowed === '1',
    ...options,
  }
}

/** Returns the seconds after which the carrier stops trying to deliver. */
export function getExpirySeconds(entry: Entry): number {
  return expirySeconds[entry.expiryOption ?? defaultExpiryOption]
}

/** Returns the text of all cards, or of the template. */
export function getText(entry: Entry): string {
  return Object.entries(toBody(entry))
    .filter(([key]) => /^description\d*$/.test(key))
    .map(([, value]) => (typeof value === 'string' ? value : ''))
    .join('')
}

/** Returns the carrier-standard body, in which a fileKey has become the media of its upload. */
export function toBody(entry: Entry): Readonly<RcsBody> {
  const fields = toFields(entry)
  const keys = Object.entries(fields).filter(([, value]) => typeof value === 'string' && isFileKey(value))
  if (keys.length === 0) return fields
  return { ...fields, ...Object.fromEntries(keys.map(([name, key]) => [name, toMedia(key as string)])) }
}

/** Returns the fields of the simple style under their carrier-standard names; a body of the expert style is unchanged. */
function toFields({ content, body }: Entry): Readonly<RcsBody> {
  if (body !== undefined) return body
  const { standalone, carousel, template } = content ?? {}
  if (standalone !== undefined) return { ...cardBody(standalone, ''), ...subBody(standalone.subContent) }
  if (carousel !== undefined) {
    return Object.assign({}, ...carousel.map((card, index) => cardBody(card, `${index + 1}`))) as RcsBody
  }
  const { subContent, ...fields } = template ?? {}
  return { ...normalizePresent(fields), ...subBody(subContent) }
}

function cardBody({ title, text, media, mediaUrl }: RcsCard, number: string): RcsBody {
  const body: RcsBody = {}
  add(body, `title${number}`, title)
  add(body, `description${number}`, text)
  add(body, `media${number}`, media)
  add(body, `mediaUrl${number}`, mediaUrl)
  return body
}

function add(body: RcsBody, name: string, value: string | undefined): void {
  if (value !== undefined && value !== '') body[name] = normalizeText(value)
}

function subBody(subContents: readonly SubContent[] = []): RcsBody {
  if (subContents.length === 0) return {}
  const numbered = subContents.flatMap((sub, index) =>
    Object.entries(sub).map(([key, value]): [string, string] => [`${key}${index + 1}`, value]),
  )
  return normalizePresent(Object.fromEntries(numbered))
}

function toButtons({ content }: Entry): readonly CardButtons[] {
  const { standalone, carousel } = content ?? {}
  const cards: readonly RcsCard[] = carousel ?? (standalone === undefined ? [] : [standalone])
  if (cards.every(({ button = [] }) => button.length === 0)) return []
  return cards.map(({ button = [] }) =>
    button.length === 0 ? {} : { suggestions: button.map((item) => toSuggestion(item)) },
  )
}

/** Keeps only the fields that are present, normalized. */
function normalizePresent(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, normalizeText(value)] as const],
  )
  return Object.fromEntries(entries)
}
