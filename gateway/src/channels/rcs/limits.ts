/**
 * Limits of RCS that do not depend on a formatId: templates by kind, buttons by type, options. "Characters"
 * are UTF-16 code units of the normalized text.
 */
import type { ResultCode } from '../../contract/result-codes.ts'
import type { ImageSize } from '../channel.ts'
import { carrierLabelLimit } from './formats.ts'

export const maxFooterLength = 100

/** Maximum UTF-8 bytes of the carrier-standard body as JSON. */
export const maxBodyBytes = 10_240

/** Seconds after which a carrier stops trying to deliver. */
export const expirySeconds = { '1': 24 * 3600, '2': 40, '3': 190, '4': 3600 } as const
export type ExpiryOption = keyof typeof expirySeconds
export const defaultExpiryOption: ExpiryOption = '1'

export interface TemplateLimits {
  /** Allowed sizes; empty if the template shows no image. */
  readonly images: readonly ImageSize[]
  /** Size of the image of a sub-info. */
  readonly subImage: ImageSize | null
  readonly title: number
  /** Characters of the description and of all other texts together, without the title and the sub-infos. */
  readonly text: number
  /** Characters of each text of a sub-info ("detail text"). */
  readonly subText: number
  readonly subContents: number
  readonly buttonsPerCard: number
  readonly buttonLabel: number
  readonly cards: number
}

const plain = {
  images: [],
  subImage: null,
  title: 8,
  text: 90,
  subText: 0,
  subContents: 0,
  buttonsPerCard: 2,
  buttonLabel: carrierLabelLimit,
  cards: 1,
} satisfies TemplateLimits

export const templateLimits = {
  Free: { ...plain, title: 0, buttonsPerCard: 1 },
  Description: plain,
  Cell: plain,
  Image: {
    ...plain,
    images: [
      { width: 900, height: 1200 },
      { width: 900, height: 900 },
      { width: 900, height: 560 },
    ],
    subImage: { width: 300, height: 300 },
    title: 30,
    text: 150,
    subText: 33,
    // The table has no number here: use the largest of all formats.
    subContents: 3,
    buttonLabel: 16,
  },
} as const satisfies Readonly<Record<string, TemplateLimits>>

export type TemplateKind = keyof typeof templateLimits

/** Limits of a template of unknown kind: those of the most permissive kind. */
export const loosestTemplate: TemplateLimits = templateLimits.Image

/**
 * Limits of the expert style for a formatId outside the table: an issued template, or a format of the carriers that is newer
 * than this release. Each limit is the largest of any format.
 */
export const loosestFormat = {
  title: 30,
  text: 1_300,
  cards: 6,
  buttonsPerCard: 3,
  buttonLabel: carrierLabelLimit,
} as const

/**
 * The required content of a button field. Lengths are the carriers'; with `null` the carrier checks the
 * length.
 */
export type FieldRule =
  | { readonly valueType: 'text'; readonly max: number | null }
  | { readonly valueType: 'address'; readonly scheme: 'any' | 'web'; readonly max: number | null }
  | { readonly valueType: 'degrees'; readonly bound: number }
  | { readonly valueType: 'time' }
  | { readonly valueType: 'phone' }

/** All types but two have their own result code. */
export interface RcsButtonRow {
  readonly code: ResultCode
  /** The fields that the action needs. */
  readonly fields: Readonly<Partial<Record<ButtonField, FieldRule>>>
  readonly optional?: Readonly<Partial<Record<ButtonField, FieldRule>>>
  /** Fields that are accepted from clients, but not passed on. */
  readonly ignored?: readonly ButtonField[]
}

export const buttonFields = [
  'url',
  'label',
  'latitude',
  'longitude',
  'fallbackUrl',
  'query',
  'startTime',
  'endTime',
  'title',
  'description',
  'text',
  'phoneNumber',
] as const
export type ButtonField = (typeof buttonFields)[number]

const fallbackUrl: FieldRule = { valueType: 'address', scheme: 'web', max: 1000 }
const time: FieldRule = { valueType: 'time' }
const phone: FieldRule = { valueType: 'phone' }

export const buttonRows = {
  URL: { code: 'A406', fields: { url: { valueType: 'address', scheme: 'any', max: null } } },
  MAP_LOC: {
    code: 'A428',
    fields: {
      latitude: { valueType: 'degrees', bound: 90 },
      longitude: { valueType: 'degrees', bound: 180 },
    },
    optional: { label: { valueType: 'text', max: 200 }, fallbackUrl },
  },
  MAP_QRY: {
    code: 'A429',
    fields: { query: { valueType: 'text', max: 200 } },
    optional: { fallbackUrl },
    // A published SDK cannot send this button without a label.
    ignored: ['label'],
  },
  MAP_SEND: { code: 'A406', fields: {} },
  CALENDAR: {
    code: 'A430',
    fields: {
      startTime: time,
      endTime: time,
      // Sources disagree about the title limit, down to 17 characters, so the carrier checks it.
      title: { valueType: 'text', max: null },
    },
    optional: { description: { valueType: 'text', max: 500 } },
  },
  COPY: { code: 'A431', fields: { text: { valueType: 'text', max: 200 } } },
  COM_T: { code: 'A432', fields: { phoneNumber: phone, text: { valueType: 'text', max: 100 } } },
  COM_V: { code: 'A433', fields: { phoneNumber: phone } },
  DIAL: { code: 'A434', fields: { phoneNumber: phone } },
} as const satisfies Readonly<Record<string, RcsButtonRow>>

export type ButtonType = keyof typeof buttonRows
export const rcsButtonTypes = Object.keys(buttonRows) as readonly ButtonType[]
