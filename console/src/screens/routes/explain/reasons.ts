/** Translates the English reasons of the API to Korean. Unknown reasons stay unchanged. */
type Translate = (parts: readonly string[]) => string

/** Patterns of `gateway/src/carriers/routes/explain.ts` and `choose.ts`. `state` translates the health of a route. */
const korean = (state: (text: string) => string): readonly (readonly [RegExp, Translate])[] => [
  [
    /^does not serve (\S+), only (.+)$/,
    ([channel, only]) => `${channel} 채널을 처리하지 않음 (${only}만 처리)`,
  ],
  [/^does not serve this account$/, () => '이 계정을 처리하지 않음'],
  [/^serves only numbers that begin with (.+)$/, ([prefixes]) => `${prefixes}(으)로 시작하는 번호만 처리`],
  [
    /^serves only recipients at (.+), and the carrier of this one is not known$/,
    ([carriers]) => `${carriers} 가입자만 처리하며, 이 번호의 통신사를 알 수 없음`,
  ],
  [
    /^serves only recipients at (.+), and this one is at (.+)$/,
    ([carriers, carrier]) => `${carriers} 가입자만 처리하며, 이 번호는 ${carrier}`,
  ],
  [
    /^same priority, weight (\d+): another message may take it$/,
    ([weight]) => `우선순위 동일, 가중치 ${weight}: 다른 메시지가 선택할 수 있음`,
  ],
  [
    /^another share of the same route: another message may take it$/,
    () => '같은 라우트의 다른 할당: 다른 메시지가 선택할 수 있음',
  ],
  [
    /^(is on trial after failures): another message may take it$/,
    ([trial]) => `${state(trial!)}: 다른 메시지가 선택할 수 있음`,
  ],
  [
    /^priority (\d+) comes after (\d+)$/,
    ([priority, taken]) => `우선순위 ${priority}, 선택된 ${taken}보다 뒤`,
  ],
  [
    /^waits: (\S+) (.+), and no other route is healthy$/,
    ([, why]) => `대기: ${state(why!)}, 정상인 다른 라우트 없음`,
  ],
  [/^waits: (\S+) (.+)$/, ([, why]) => `대기: ${state(why!)}`],
  [
    /^(\w+) choice: (\S+) (.+?)(?: and (\d+) more cannot take it)?$/,
    ([, route, why, more]) =>
      `${route}: ${state(why!)}${more === undefined ? '' : `, 외 ${more}개 사용 불가`}`,
  ],
  [
    /^priority (\d+)(?:, weight \d+ of \d+)?; (\S+) (.+?)(?: and (\d+) more cannot take it)?$/,
    ([priority, route, why, more]) =>
      `우선순위 ${priority}; ${route}: ${state(why!)}${more === undefined ? '' : `, 외 ${more}개 사용 불가`}`,
  ],
  [/^priority (\d+)$/, ([priority]) => `우선순위 ${priority}`],
  [
    /^priority (\d+), weight (\d+) of (\d+)$/,
    ([priority, weight, total]) => `우선순위 ${priority}, 가중치 ${total} 중 ${weight}`,
  ],
]

export interface Reason {
  readonly text: string
  /** Language of the text if it differs from that of the page. */
  readonly lang: 'en' | undefined
}

export function translateReason(reason: string, state: (text: string) => string): Reason {
  for (const [pattern, translate] of korean(state)) {
    const found = pattern.exec(reason)
    if (found !== null) return { text: translate(found.slice(1)), lang: undefined }
  }
  const text = state(reason)
  return { text, lang: text === reason ? 'en' : undefined }
}
