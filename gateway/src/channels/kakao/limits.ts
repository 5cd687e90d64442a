/**
 * Limits of Kakao messages, one row for each row of the documents they come from. Lengths are UTF-16 code
 * units of the normalized text.
 */

/** FT text, FI image, FW wide image, FL wide item list, FC carousel feed, FM commerce, FA carousel commerce, FP video. */
export const bubbleTypes = ['FT', 'FI', 'FW', 'FL', 'FC', 'FM', 'FA', 'FP'] as const
export type BubbleType = (typeof bubbleTypes)[number]
export type CarouselType = 'FC' | 'FA'

/** Parts that a bubble either must have or cannot have. */
export const partNames = ['image', 'item', 'commerce', 'video', 'carousel'] as const
export type PartName = (typeof partNames)[number]

export interface KakaoButtonLimits {
  readonly min: number
  readonly max: number
  readonly name: number
}

export interface BubbleLimits {
  /** `null` if the bubble shows no text. */
  readonly text: { readonly required: boolean; readonly max: number; readonly lineBreaks?: number } | null
  readonly header: { readonly required: boolean; readonly max: number } | null
  /** `null` if the buttons are on the cards. */
  readonly buttons: (KakaoButtonLimits & { readonly maxWithCoupon: number }) | null
  /** Characters; `null` if the bubble itself has no coupon. */
  readonly couponDescription: number | null
  readonly additionalContent: number | null
  readonly needs: readonly PartName[]
  /** Set if the bubble is always an advertisement, so adFlag N is rejected. */
  readonly alwaysAdvertisement?: true
}

const plainButtons = { min: 0, max: 5, maxWithCoupon: 4, name: 14 }
const wideButtons = { min: 0, max: 2, maxWithCoupon: 2, name: 8 }
const textless = { text: null, header: null, additionalContent: null } as const
const cardsOnly = { ...textless, buttons: null, couponDescription: null, needs: ['carousel'] } as const

export const bubbleLimits: Readonly<Record<BubbleType, BubbleLimits>> = {
  FT: {
    ...textless,
    text: { required: true, max: 1_000, lineBreaks: 99 },
    buttons: plainButtons,
    couponDescription: 12,
    needs: [],
  },
  FI: {
    ...textless,
    text: { required: true, max: 400, lineBreaks: 29 },
    buttons: plainButtons,
    couponDescription: 12,
    needs: ['image'],
  },
  FW: {
    ...textless,
    text: { required: true, max: 76, lineBreaks: 1 },
    buttons: wideButtons,
    couponDescription: 18,
    needs: ['image'],
  },
  FL: {
    ...textless,
    header: { required: true, max: 20 },
    buttons: wideButtons,
    couponDescription: 18,
    needs: ['item'],
    alwaysAdvertisement: true,
  },
  FC: { ...cardsOnly, alwaysAdvertisement: true },
  FM: {
    ...textless,
    buttons: { min: 1, max: 2, maxWithCoupon: 2, name: 8 },
    couponDescription: 12,
    additionalContent: 34,
    needs: ['image', 'commerce'],
  },
  FA: { ...cardsOnly, alwaysAdvertisement: true },
  FP: {
    ...textless,
    text: { required: false, max: 76 },
    header: { required: false, max: 20 },
    buttons: { min: 0, max: 1, maxWithCoupon: 1, name: 8 },
    couponDescription: 18,
    needs: ['video'],
  },
}

export interface KakaoCardLimits {
  readonly head: boolean
  /** Whether header and message of a card are required or not allowed. */
  readonly text: boolean
  readonly additionalContent: number | null
  readonly commerce: boolean
}

export const carouselLimits = {
  cards: { min: 2, max: 10 },
  header: 20,
  message: 180,
  couponDescription: 12,
  buttons: { min: 1, max: 2, name: 8 },
  head: { header: 20, content: 50 },
  byType: {
    FC: { head: false, text: true, additionalContent: null, commerce: false },
    FA: { head: true, text: false, additionalContent: 34, commerce: true },
  } satisfies Record<CarouselType, KakaoCardLimits> as Readonly<Record<CarouselType, KakaoCardLimits>>,
} as const

export const wideItemLimits = { items: { min: 3, max: 4 }, firstTitle: 25, title: 30 } as const
export const commerceLimits = { title: 30, price: 99_999_999, rate: 100, fixed: 999_999 } as const
export const videoLimits = { videoUrl: 500, thumbnailUrl: 500 } as const
export const quickReplyLimits = { max: 5, name: 14 } as const
export const profileLimits = { senderKey: 40, templateCode: 50, groupTagKey: 40 } as const
