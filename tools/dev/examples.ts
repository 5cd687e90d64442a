// Example messages of every channel, for the sandbox of `npm run dev` and the console screenshots. The last
// four digits of a number choose the outcome; see docs/reference/connectors/sandbox.md.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ApiTarget {
  /** URL of the API. */
  readonly base: string
  /** A token or an API key. */
  readonly token: string
}

export interface Example {
  /** The path after `/v1/send/`. */
  readonly channel: string
  readonly body: Readonly<Record<string, unknown>>
}

export const phones = {
  minji: '01024680001',
  seojun: '01035790001',
  /** Cannot show RCS. */
  haneul: '01046800023',
  /** Has no KakaoTalk. */
  doyun: '01057910023',
  berlin: '+4915112345001',
} as const

const from = '15441234'
const senderKey = 'postern-shop-demo'
const brandKey = 'BR.postern'
const shop = 'https://shop.example.com'

interface ExampleImages {
  readonly mms: string
  readonly rcs: string
  readonly carousel: readonly [string, string, string]
  readonly friendtalk: string
  readonly commerce: readonly [string, string]
}

/** Uploads the images, as a client does before it refers to them. */
export async function uploadImages(target: ApiTarget): Promise<ExampleImages> {
  const upload = (name: string, service: string): Promise<string> => uploadImage(target, name, service)
  return {
    mms: await upload('mms', 'MMS'),
    rcs: await upload('card', 'RCS'),
    carousel: [
      await upload('carousel-1', 'RCS'),
      await upload('carousel-2', 'RCS'),
      await upload('carousel-3', 'RCS'),
    ],
    friendtalk: await upload('friend', 'FRIENDTALK/FI'),
    commerce: [
      await upload('product-1', 'BRANDMESSAGE/carouselCommerce'),
      await upload('product-2', 'BRANDMESSAGE/carouselCommerce'),
    ],
  }
}

async function uploadImage({ base, token }: ApiTarget, name: string, service: string): Promise<string> {
  const form = new FormData()
  const bytes = readFileSync(join(import.meta.dirname, 'pictures', `${name}.jpg`))
  form.append('file', new Blob([bytes], { type: 'image/jpeg' }), `${name}.jpg`)
  const response = await fetch(`${base}/v1/file/${service}`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  })
  const { data, result } = (await response.json()) as { data?: Record<string, string>; result: string }
  const reference = data?.['media'] ?? data?.['imgUrl'] ?? data?.['fileKey']
  if (reference === undefined) throw new Error(`image ${name} was rejected: ${result}`)
  return reference
}

/** One example of each kind, in sending order. */
export function createExamples(images: ExampleImages): Example[] {
  return [
    ...kakaoExamples(images),
    ...rcsExamples(images),
    {
      channel: 'international',
      body: {
        from,
        to: phones.berlin,
        text: 'Postern Shop: your parcel is on its way to Berlin.',
        ref: 'parcel-77',
      },
    },
    {
      channel: 'mms',
      body: {
        from,
        to: phones.minji,
        title: '가을 원두 출시',
        fileKey: [images.mms],
        text: '(광고) 포스턴 커피\n에티오피아 예가체프 햇원두가 도착했습니다. 이번 주까지 15% 할인합니다.\n무료수신거부 080-123-4567',
      },
    },
    {
      channel: 'sms',
      body: { from, to: phones.minji, text: '[포스턴] 인증번호 482913을 입력해 주세요.', ref: 'login' },
    },
  ]
}

function kakaoExamples({ friendtalk, commerce }: ExampleImages): Example[] {
  const product = (image: string, title: string, regularPrice: number, discountPrice: number) => ({
    attachment: {
      image: { imgUrl: image, imgLink: shop },
      commerce: {
        title,
        regularPrice,
        discountPrice,
        discountRate: Math.round(100 - (100 * discountPrice) / regularPrice),
      },
      button: [{ type: 'WL', name: '구매하기', urlMobile: shop }],
    },
  })
  return [
    {
      channel: 'omni',
      body: flow(phones.minji, 'order-1024', {
        alimtalk: {
          senderKey,
          msgType: 'AT',
          templateCode: 'ORDER_SENT',
          title: '배송이 시작되었습니다',
          header: '포스턴 상점',
          text: '김민지 님, 주문하신 상품이 오늘 출발했습니다.',
          attachment: {
            item: {
              list: [
                { title: '주문번호', description: '20261116-1024' },
                { title: '상품', description: '핸드드립 세트' },
                { title: '도착 예정', description: '11월 18일(수)' },
              ],
              summary: { title: '결제 금액', description: '42,000원' },
            },
            button: [
              { type: 'DS', name: '배송 조회' },
              {
                type: 'WL',
                name: '주문 상세',
                urlMobile: `${shop}/orders/1024`,
                urlPc: `${shop}/orders/1024`,
              },
            ],
          },
          supplement: { quickReply: [{ type: 'BK', name: '문의하기' }] },
        },
      }),
    },
    {
      channel: 'omni',
      body: flow(phones.seojun, 'members', {
        friendtalk: {
          senderKey,
          msgType: 'FI',
          adFlag: 'N',
          text: '서준 님, 이번 주말 팝업 스토어에 초대합니다. 방문하시면 드립백을 드립니다.',
          attachment: {
            image: { imgUrl: friendtalk, imgLink: shop },
            button: [{ type: 'WL', name: '초대장 보기', urlMobile: `${shop}/popup`, urlPc: `${shop}/popup` }],
            coupon: { title: '10% 할인 쿠폰', description: '11월 30일까지', urlMobile: `${shop}/coupon` },
          },
        },
      }),
    },
    {
      channel: 'omni',
      body: flow(phones.seojun, 'autumn', {
        brandmessage: {
          senderKey,
          msgType: 'FA',
          sendType: 'free',
          targeting: 'I',
          carousel: {
            list: [
              product(commerce[0], '핸드드립 세트', 52_000, 41_600),
              product(commerce[1], '머그컵 2개 세트', 24_000, 18_000),
            ],
            tail: { urlMobile: `${shop}/autumn` },
          },
        },
      }),
    },
    {
      channel: 'omni',
      body: flow(
        phones.doyun,
        'visit-31',
        {
          alimtalk: {
            senderKey,
            msgType: 'AT',
            templateCode: 'VISIT',
            text: '이도윤 님, 내일 10시 방문 예약이 있습니다.',
          },
        },
        { sms: { from, text: '[포스턴] 이도윤 님, 내일 10시 방문 예약이 있습니다.' } },
      ),
    },
  ]
}

function rcsExamples({ rcs, carousel }: ExampleImages): Example[] {
  const page = (name: string, path: string) => ({ type: 'URL', name, url: `${shop}/${path}` })
  return [
    {
      channel: 'omni',
      body: flow(phones.minji, 'visit-17', {
        rcs: {
          from,
          brandKey,
          formatId: 'SMwThM00',
          content: {
            standalone: {
              media: rcs,
              title: '내일 예약이 있습니다',
              text: '11월 17일(화) 오전 10시, 포스턴 커피 성수점. 변경은 오늘 저녁까지 가능합니다.',
              button: [
                { type: 'MAP_QRY', name: '길 찾기', query: '포스턴 커피 성수점', fallbackUrl: `${shop}/map` },
                { type: 'DIAL', name: '매장에 전화', phoneNumber: '0212345678' },
              ],
            },
          },
        },
      }),
    },
    {
      channel: 'omni',
      body: flow(phones.minji, 'survey-5', {
        rcs: {
          from,
          brandKey,
          formatId: 'SL000000',
          body: {
            title: '방문은 어떠셨나요?',
            description: '한 번만 눌러 알려 주시면 다음 방문에 반영하겠습니다.',
          },
          buttons: [
            {
              suggestions: [
                { reply: { displayText: '좋았어요', postback: { data: 'good' } } },
                { reply: { displayText: '아쉬웠어요', postback: { data: 'bad' } } },
              ],
            },
          ],
        },
      }),
    },
    {
      channel: 'omni',
      body: flow(phones.seojun, 'menu', {
        rcs: {
          from,
          brandKey,
          formatId: 'CMwMhM0300',
          header: '1',
          footer: '080-123-4567',
          content: {
            carousel: [
              {
                media: carousel[0],
                title: '아침',
                text: '크루아상과 라떼, 7,500원',
                button: [page('주문하기', 'morning')],
              },
              {
                media: carousel[1],
                title: '점심',
                text: '샌드위치와 수프, 11,000원',
                button: [page('주문하기', 'lunch')],
              },
              {
                media: carousel[2],
                title: '저녁',
                text: '케이크와 차, 9,000원',
                button: [page('주문하기', 'evening')],
              },
            ],
          },
        },
      }),
    },
    {
      channel: 'omni',
      body: flow(
        phones.haneul,
        'stamp-9',
        {
          rcs: {
            from,
            brandKey,
            formatId: 'SL000000',
            content: {
              standalone: {
                title: '스탬프 적립',
                text: '박하늘 님, 스탬프 1개가 적립되었습니다.',
                button: [page('내 스탬프', 'stamps')],
              },
            },
          },
        },
        { sms: { from, text: '[포스턴] 스탬프 1개가 적립되었습니다. 현재 9개.' } },
      ),
    },
  ]
}

function flow(to: string, ref: string, ...messageFlow: readonly object[]): Record<string, unknown> {
  return { destinations: [{ to }], messageFlow, ref }
}

/** Throws the response of the API: a rejected example is a defect. */
export async function send({ base, token }: ApiTarget, { channel, body }: Example): Promise<void> {
  const response = await fetch(`${base}/v1/send/${channel}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const result = (await response.json()) as {
    code: string
    result: string
    data?: { destinations?: { code: string; result: string }[] }
  }
  const refused = result.data?.destinations?.find(({ code }) => code !== 'A000')
  if (result.code !== 'A000' || refused !== undefined)
    throw new Error(`example ${channel} was rejected: ${JSON.stringify(refused ?? result)}`)
}

/** Sends all examples one after the other. */
export async function sendExamples(target: ApiTarget): Promise<Example[]> {
  const examples = createExamples(await uploadImages(target))
  for (const example of examples) await send(target, example)
  return examples
}
