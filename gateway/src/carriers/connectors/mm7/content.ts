/**
 * Writes the content of a message as MIME parts, in the form of each dialect: SMIL with text and images (3gpp), SMIL with XHTML
 * (SKT), HTML or plain text (KT), plain text and images (LGU+).
 */
import type { SubmissionContent } from '../../../channels/mms/mms.ts'
import { encodeMarkup, encodeCharset, escapeXml, labels, type CharsetName } from './charset.ts'
import { base64Lines, writeMultipart, type MimePart } from '../http/multipart.ts'
import type { Mm7Options } from './options.ts'

export interface ContentInput {
  readonly options: Mm7Options
  readonly charset: CharsetName
  readonly content: SubmissionContent
  readonly images: readonly Buffer[]
  /** Returns the Content-ID of a part; those of SKT have 22 digits. */
  readonly contentId: (index: number) => string
  readonly boundary: string
}

export interface WrittenContent {
  readonly part: MimePart
  /** The id that `Content href` refers to. */
  readonly id: string
}

/** Content-ID in the samples of KT and LGU+. */
const koreanId = 'SaturnPics-01020930@news.tnn.com'

const imageName = (index: number): string => `image${index + 1}.jpg`

export function writeContent(input: ContentInput): WrittenContent {
  switch (input.options.dialect) {
    case '3gpp':
      return nested(input, 'content', smilParts(input, plainText(input)), 'application/smil')
    case 'skt':
      return nested(input, input.contentId(0), sktParts(input))
    case 'kt':
      return input.images.length === 0
        ? { part: plainText(input, [['Content-ID', '<text/plain>']]), id: 'text/plain' }
        : nested(input, koreanId, [html(input), ...images(input)])
    case 'lgu':
      return nested(input, koreanId, lguParts(input))
  }
}

function nested(
  { boundary, contentId }: ContentInput,
  id: string,
  parts: readonly MimePart[],
  type?: string,
): WrittenContent {
  const start = type === undefined ? '' : `; type="${type}"; start="<${contentId(0)}>"`
  const headers = [
    ['Content-Type', `multipart/related${start}; boundary="${boundary}"`],
    // SKT's `Content href` refers to the SMIL inside.
    ...(id === contentId(0) ? [] : [['Content-ID', `<${id}>`] as const]),
  ] as const
  return { part: { headers, body: writeMultipart(parts, boundary) }, id }
}

function plainText({ charset, content }: ContentInput, more: MimePart['headers'] = []): MimePart {
  return {
    headers: [
      ['Content-Type', `text/plain; charset="${labels[charset].mime}"`],
      ...more,
      ['Content-Transfer-Encoding', '8bit'],
    ],
    body: encodeCharset(content.text, charset),
  }
}

function images(input: ContentInput, more: MimePart['headers'] = []): MimePart[] {
  const { options } = input
  return input.images.map((octets, index) => {
    const body = options.imageEncoding === 'base64' ? base64Lines(octets) : octets
    return {
      headers: [
        ['Content-Type', 'image/jpeg'],
        ['Content-ID', `<${imageId(input, index)}>`],
        ...(options.dialect === 'skt' ? [['Content-Length', String(body.length)] as const] : []),
        ['Content-Disposition', `attachment; filename="${imageName(index)}"`],
        ['Content-Transfer-Encoding', options.imageEncoding],
        ...more,
      ],
      body,
    }
  })
}

/** Part 0 is the SMIL and part 1 the text. */
const imageId = ({ options, contentId }: ContentInput, index: number): string =>
  options.dialect === 'skt' ? contentId(index + 2) : imageName(index)

/** Shows the images one after the other above the text. */
function smilParts(input: ContentInput, text: MimePart): MimePart[] {
  const pictures = input.images.map(
    (_, index) => `<par dur="5s"><img src="cid:${imageName(index)}" region="Image"/></par>`,
  )
  const smil =
    '<smil><head><layout><root-layout width="100%" height="100%"/>' +
    '<region id="Image" top="0" left="0" width="100%" height="50%" fit="meet"/>' +
    '<region id="Text" top="50%" left="0" width="100%" height="50%" fit="scroll"/></layout></head>' +
    `<body>${pictures.join('')}<par dur="5s"><text src="cid:${input.contentId(1)}" region="Text"/></par></body></smil>`
  return [
    {
      headers: [
        ['Content-Type', 'application/smil; charset="utf-8"'],
        ['Content-ID', `<${input.contentId(0)}>`],
      ],
      body: Buffer.from(smil),
    },
    { ...text, headers: [...text.headers, ['Content-ID', `<${input.contentId(1)}>`]] },
    ...images(input),
  ]
}

function sktParts(input: ContentInput): MimePart[] {
  const { options, charset, contentId } = input
  const common = [
    ['X-SKT-Content-Usage', '0'],
    ['X-SKT-CIDSID', options.skt.contentServiceId],
    ['X-SKT-Service-Type', options.skt.serviceType],
  ] as const
  const part = (index: number, type: string, name: string, body: Buffer): MimePart => ({
    headers: [
      ['Content-Type', type],
      ['Content-ID', `<${contentId(index)}>`],
      ['Content-Length', String(body.length)],
      ['Content-Disposition', `attachment; filename="${name}"`],
      ...common,
    ],
    body,
  })
  const prolog = `<?xml version="1.0" encoding="${labels[charset].xml}"?>\n`
  const pictures = input.images.map(
    (_, index) => `<img id="${imageName(index)}" region="image" src="cid:${contentId(index + 2)}"/>`,
  )
  const smil =
    `${prolog}<smil xmlns="http://www.w3.org/2001/SMIL20/Language"><head><layout>` +
    '<root-layout background-color="#FFFFFF"/>' +
    '<region id="image" top="0%" left="0%" width="100%" height="50%" z-index="0"/>' +
    '<region id="text" top="50%" left="0%" width="100%" height="50%" z-index="0"/></layout></head>' +
    `<body><par repeatCount="indefinite">${pictures.join('')}` +
    `<text region="text" src="cid:${contentId(1)}" begin="0" dur="indefinite"/></par></body></smil>`
  const xhtml =
    `${prolog}<xt xmlns="http://www.w3.org/1999/xhtml"><head></head><body bgcolor="#FFFFFF">` +
    `<div><color1>${markupText(input, '<br/>')}</color1></div></body></xt>`
  const textType = `${options.skt.textType}; charset="${labels[charset].mime}"`
  return [
    part(0, 'application/smil', 'message.smi', encodeMarkup(smil, charset)),
    part(1, textType, 'message.xt', encodeMarkup(xhtml, charset)),
    ...images(input, common),
  ]
}

function html(input: ContentInput): MimePart {
  const { options, charset } = input
  const pictures = input.images.map(
    (_, index) => `<IMG SRC="${options.imageSource === 'cid' ? 'cid:' : ''}${imageName(index)}">`,
  )
  const page = `<HTML><HEAD></HEAD><BODY>${pictures.join('')}${markupText(input, '<BR>')}</BODY></HTML>`
  return {
    headers: [
      ['Content-Type', `text/html; charset="${labels[charset].mime}"`],
      ['Content-ID', '<text/html>'],
      ['Content-Transfer-Encoding', '8bit'],
    ],
    body: encodeMarkup(page, charset),
  }
}

function markupText({ options, content }: ContentInput, lineBreak: string): string {
  const escaped = escapeXml(content.text)
  return options.lineBreaks === 'element' ? escaped.replaceAll('\n', lineBreak) : escaped
}

function lguParts(input: ContentInput): MimePart[] {
  const { kmmsServiceCode } = input.options
  const service = kmmsServiceCode === undefined ? [] : [['X-Kmms-SVCCODE', kmmsServiceCode] as const]
  return [plainText(input, service), ...images(input, [['X-Kmms-redistribution', 'TRUE'], ...service])]
}
