/** The table of RCS formats, copied from the specification row by row, independently of the gateway. */

export interface FormatRow {
  readonly id: string
  readonly cards: number
  readonly image: boolean
  /** 0 means no title. */
  readonly title: number
  /** Total of all cards; 0 means no text. */
  readonly text: number
  readonly buttons: number
  /** Infinity where the table gives no limit. */
  readonly label: number
  readonly subInfos: number
}

type Row = readonly [string, number, boolean, number, number, number, number, number]

const rows: readonly Row[] = [
  ['SS000000', 1, false, 0, 100, 1, Infinity, 0],
  ['SL000000', 1, false, 30, 1300, 3, 17, 0],
  ['SMwThT00', 1, true, 30, 1300, 2, 17, 0],
  ['SMwThM00', 1, true, 30, 1300, 2, 17, 0],
  ...[2, 3, 4, 5, 6].map((cards): Row => [`CMwMhM0${cards}00`, cards, true, 30, 1300, 2, 13, 0]),
  ...[2, 3, 4, 5, 6].map((cards): Row => [`CMwShS0${cards}00`, cards, true, 30, 1300, 2, 5, 0]),
  ['OMHITV0001', 1, true, 30, 0, 2, 16, 1],
  ['OMHITS0001', 1, true, 30, 0, 2, 16, 1],
  ['OMHIMV0001', 1, true, 30, 0, 2, 16, 0],
  ['OMHIMS0001', 1, true, 30, 0, 2, 16, 0],
  ['OMTBNV0001', 1, true, 30, 150, 2, 16, 2],
  ['OMTBNH0001', 1, true, 30, 150, 2, 16, 3],
  ['OMSNSS0001', 1, true, 30, 150, 2, 16, 0],
  ['OMSNSH0001', 1, true, 30, 150, 2, 16, 0],
]

export const formatRows: readonly FormatRow[] = rows.map(
  ([id, cards, image, title, text, buttons, label, subInfos]) => ({
    id,
    cards,
    image,
    title,
    text,
    buttons,
    label,
    subInfos,
  }),
)

/** The largest limit of any kind, for an issued template whose ID does not show its kind. */
export const loosestTemplate: FormatRow = {
  id: 'template',
  cards: 1,
  image: true,
  title: 30,
  text: 150,
  buttons: 2,
  label: Infinity,
  subInfos: Infinity,
}

/**
 * In the carriers' style an ID outside the table may be a newer format, whose lengths only the carriers
 * check.
 */
export const unknownFormat: FormatRow = {
  ...loosestTemplate,
  title: Infinity,
  text: Infinity,
  cards: 6,
  buttons: 3,
}

export const maxDetailText = 33

/** Required fields of each type of button in addition to its name. */
export const buttonFields: Readonly<Record<string, readonly string[]>> = {
  URL: ['url'],
  MAP_LOC: ['latitude', 'longitude'],
  MAP_QRY: ['query'],
  MAP_SEND: [],
  CALENDAR: ['startTime', 'endTime', 'title'],
  COPY: ['text'],
  COM_T: ['phoneNumber', 'text'],
  COM_V: ['phoneNumber'],
  DIAL: ['phoneNumber'],
}
