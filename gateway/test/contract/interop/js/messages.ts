/** Request bodies of single sends, created by the SDK builders with as many fields as possible. */
import * as sdk from '@infobank/infobank-omni-sdk-js'

export const from = '15880000'
export const to = '01012345678'
export const link = 'https://shop.example/sale'

/** The SDK has no builder for this request. */
type BrandBody = Parameters<sdk.Send['BrandMessage']>[0]

export const kakaoButton = () =>
  new sdk.KakaoButtonBuilder()
    .setType('WL')
    .setName('Shop')
    .setUrlPc(link)
    .setUrlMobile(link)
    .setTarget('out')
    .build()

const fallback = () =>
  new sdk.FallbackBuilder().setType('SMS').setFrom(from).setText('Instead').setOriginCID('123456789').build()

export const sms = () =>
  new sdk.SMSRequestBodyBuilder()
    .setFrom(from)
    .setTo(to)
    .setText('안녕하세요')
    .setRef('js-sms')
    .setOriginCID('123456789')
    .build()

export const mms = (fileKey?: string) =>
  new sdk.MMSRequestBodyBuilder()
    .setFrom(from)
    .setTo(to)
    .setTitle('Title')
    .setText('안녕하세요')
    .setFileKey(fileKey === undefined ? [] : [fileKey])
    .setRef('js-mms')
    .build()

export const international = () =>
  new sdk.InternationalRequestBodyBuilder().setFrom(from).setTo('+14155550100').setText('Hello').build()

const buttons = () => [
  new sdk.MapLocButtonBuilder()
    .setName('Where')
    .setLabel('Shop')
    .setLatitude('37.4')
    .setLongitude('127.1')
    .setFallbackUrl(link)
    .build(),
  new sdk.DialButtonBuilder().setName('Call').setPhoneNumber('0212345678').build(),
]

const rcs = (formatId: string) =>
  new sdk.RCSRequestBodyBuilder()
    .setFrom(from)
    .setTo(to)
    .setFormatId(formatId)
    .setBrandKey('BR.key')
    .setBrandId('BR.id')
    .setExpiryOption('1')
    .setHeader('0')
    .setRef('js-rcs')

export const standalone = (media?: string) =>
  new sdk.StandaloneContentBuilder()
    .setTitle('Title')
    .setText('Text')
    .setMedia(media)
    .setButton(buttons())
    .build()

export const rcsStandalone = (media: string) =>
  rcs('SMwThT00')
    .setContent(new sdk.RCSContentBuilder().setStandaloneContent(standalone(media)).build())
    .setFallback(fallback())
    .build()

export const rcsCarousel = (media: string) => {
  const card = new sdk.CarouselContentBuilder()
    .setTitle('Title')
    .setText('Text')
    .setMedia(media)
    .setButton([new sdk.CopyButtonBuilder().setName('Copy').setText('code').build()])
    .build()
  return rcs('CMwMhM0200')
    .setContent(new sdk.RCSContentBuilder().setCarouselContent([card, card]).build())
    .build()
}

export const rcsTemplate = () =>
  rcs('UBR.template-1')
    .setContent(
      new sdk.RCSContentBuilder()
        .setTemplateContent(
          new sdk.TemplateContentBuilder().setTitle('Title').setDescription('Words').build(),
        )
        .build(),
    )
    .build()

export const rcsBody = () =>
  rcs('SL000000')
    .setBody({ title: 'Title', description: 'Words' })
    .setButtons([
      {
        suggestions: [
          {
            action: {
              urlAction: { openUrl: { url: link } },
              displayText: 'Open',
              postback: { data: 'set_by_chatbot_open_url' },
            },
          },
        ],
      },
    ])
    .build()

export const alimtalk = () =>
  new sdk.AlimtalkRequestBodyBuilder()
    .setSenderKey('sender')
    .setMsgType('AT')
    .setTo(to)
    .setTemplateCode('T1')
    .setText('Your order is on its way')
    .setButton([kakaoButton()])
    .setFallback(fallback())
    .setRef('js-alimtalk')
    .build()

export const friendtalk = (imgUrl: string) =>
  new sdk.FriendtalkRequestBodyBuilder()
    .setSenderKey('sender')
    .setMsgType('FI')
    .setTo(to)
    .setText('Sale')
    .setImgUrl(imgUrl)
    .setButton([kakaoButton()])
    .setFallback(fallback())
    .build()

export const brandmessage = (imgUrl: string) =>
  ({
    senderKey: 'sender',
    sendType: 'free',
    msgType: 'FI',
    to,
    text: 'Sale',
    imgUrl,
    adult: 'N',
    pushAlarm: 'Y',
    button: [kakaoButton()],
    fallback: fallback(),
    ref: 'js-brand',
  }) as BrandBody
