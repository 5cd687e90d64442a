/**
 * Shapes of the RCS objects a client sends: content (the simple style), body and buttons (the carriers' own).
 *
 * Shape only. Lengths and formats are checked after placeholders are filled in, so a schema must not limit a
 * field that can hold a placeholder.
 */
import { Type, type Static } from 'typebox'
import { rcsButtonTypes } from './limits.ts'

const closed = { additionalProperties: false } as const
const optional = (description: string) => Type.Optional(Type.String({ description }))

export const RcsButton = Type.Object(
  {
    type: Type.Enum([...rcsButtonTypes], { description: 'What the button does' }),
    name: Type.String({ description: 'Label' }),
    url: optional('URL: the page or app to open'),
    label: optional('MAP_LOC: name shown at the place'),
    latitude: optional('MAP_LOC: decimal degrees, -90 to 90'),
    longitude: optional('MAP_LOC: decimal degrees, -180 to 180'),
    fallbackUrl: optional('MAP_LOC, MAP_QRY: page to open where there is no map app'),
    query: optional('MAP_QRY: what to search for'),
    startTime: optional("CALENDAR: yyyy-MM-dd'T'HH:mm:ssXXX"),
    endTime: optional("CALENDAR: yyyy-MM-dd'T'HH:mm:ssXXX"),
    title: optional('CALENDAR: title of the event'),
    description: optional('CALENDAR: description of the event'),
    text: optional('COPY, COM_T: the text to copy or to begin a message with'),
    phoneNumber: optional('COM_T, COM_V, DIAL: digits'),
  },
  { ...closed, description: 'A button; `type` says which other fields it needs' },
)

export const SubContent = Type.Object(
  {
    subTitle: optional('Title of the sub-info'),
    subDesc: optional('Text of the sub-info'),
    subMedia: optional('Image of the sub-info: media or fileKey of an upload'),
    subMediaUrl: optional('Address opened by a tap on that image'),
  },
  { ...closed, description: 'A sub-info' },
)

const cardFields = {
  text: optional('Content'),
  title: optional('Title'),
  media: optional('Image: media or fileKey of an upload'),
  mediaUrl: optional('Address opened by a tap on the image; a single backslash shows it in full'),
  button: Type.Optional(Type.Array(RcsButton, { description: 'Buttons in order' })),
}
const subContent = Type.Optional(Type.Array(SubContent, { description: 'Sub-infos in order' }))

export const RcsCard = Type.Object(cardFields, { ...closed, description: 'One card of a carousel' })

export const Standalone = Type.Object(
  { ...cardFields, subContent },
  { ...closed, description: 'A message of one card' },
)

export const Template = Type.Object(
  { title: optional('Title'), description: optional('Content'), subContent },
  {
    additionalProperties: Type.String(),
    description: 'Values for an issued template: these fields and any key registered with it',
  },
)

export const RcsContent = Type.Object(
  {
    standalone: Type.Optional(Standalone),
    carousel: Type.Optional(Type.Array(RcsCard, { description: 'Cards in order' })),
    template: Type.Optional(Template),
  },
  { ...closed, description: 'Exactly one of standalone, carousel and template, as the format asks' },
)

export const BodyObject = Type.Object({}, { additionalProperties: true })

export const RcsBody = Type.Record(Type.String(), Type.Union([Type.String(), BodyObject]), {
  description: 'Carrier-standard fields; which keys, the formatId says',
})

const suggested = Type.Object(
  {
    displayText: Type.String({ description: 'Label' }),
    postback: Type.Optional(
      Type.Object(
        { data: Type.String({ description: 'Given back when tapped' }) },
        { description: 'Postback' },
      ),
    ),
  },
  { additionalProperties: true, description: 'The label and one carrier-standard action' },
)

export const CardButtons = Type.Object(
  {
    suggestions: Type.Optional(
      Type.Array(Type.Object({ action: Type.Optional(suggested), reply: Type.Optional(suggested) }, closed), {
        description: 'Buttons of one card',
      }),
    ),
  },
  { ...closed, description: 'Carrier-standard buttons of one card; empty for a card without any' },
)

export type RcsButton = Static<typeof RcsButton>
export type SubContent = Static<typeof SubContent>
export type RcsCard = Static<typeof RcsCard>
export type Standalone = Static<typeof Standalone>
export type Template = Static<typeof Template>
export type RcsBody = Static<typeof RcsBody>
export type CardButtons = Static<typeof CardButtons>
