/**
 * Report codes that are more specific than a cause: each refines one cause in one family of channels. A
 * connector may return a detail code besides the cause. `getReportCode` ignores a detail of another cause or
 * family, so that no report has a code that is not listed.
 *
 * Kakao report codes are a 6 followed by Kakao's own code, like 63015, 63016, 63020 and 63027 in the contract.
 */
import type { Cause } from './cause.ts'

/** The part at fault, which selects the usual explanation and the next action. */
export type ReportFault =
  | 'sender'
  | 'channel'
  | 'template'
  | 'length'
  | 'content'
  | 'handset'
  | 'blocked'
  | 'file'

export interface ReportDetail {
  readonly cause: Cause
  readonly fault: ReportFault
  readonly text: Readonly<Record<'en' | 'ko', string>>
}

const row = (
  code: string,
  cause: Cause,
  fault: ReportFault,
  en: string,
  ko: string,
): [string, ReportDetail] => [code, { cause, fault, text: { en, ko } }]

const headerOrFooter = ['33102', '33103', '33104', '33105', '33106', '33107'].map((code) =>
  row(code, 'refused', 'content', 'Header or footer not acceptable', '헤더 또는 푸터 오류'),
)

export const reportDetails: ReadonlyMap<string, ReportDetail> = new Map([
  row('23034', 'attachment', 'file', 'Wrong file key', '파일 키 오류'),

  ...headerOrFooter,
  row('33109', 'refused', 'content', 'Title not acceptable', '제목 오류'),
  row('33110', 'refused', 'content', 'Text not acceptable', '본문 오류'),
  row('33111', 'refused', 'content', 'Buttons not acceptable', '버튼 오류'),
  row('33121', 'refused', 'template', 'Wrong messagebase', '메시지베이스 오류'),
  row('33200', 'unregistered-sender', 'sender', 'Wrong brand', '브랜드 오류'),

  row('61006', 'unregistered-sender', 'channel', 'Sender profile deleted', '삭제된 발신 프로필'),
  row('61007', 'unregistered-sender', 'channel', 'Sender profile blocked', '차단된 발신 프로필'),
  row('61011', 'unregistered-sender', 'sender', 'No contract found', '계약 정보 없음'),
  row('61021', 'unregistered-sender', 'channel', 'Channel blocked', '차단된 카카오톡 채널'),
  row('61022', 'unregistered-sender', 'channel', 'Channel closed', '닫힌 카카오톡 채널'),
  row('61023', 'unregistered-sender', 'channel', 'Channel deleted', '삭제된 카카오톡 채널'),
  row(
    '61024',
    'unregistered-sender',
    'channel',
    'Channel about to be deleted',
    '삭제 대기 중인 카카오톡 채널',
  ),
  row('61025', 'spam', 'channel', 'Channel restricted', '제재 상태의 카카오톡 채널'),
  row('61027', 'spam', 'channel', 'Messages of the channel restricted', '메시지 제재 상태의 카카오톡 채널'),
  row('63013', 'refused', 'content', 'Message empty', '빈 메시지'),
  row('63014', 'refused', 'length', 'Message too long', '메시지 길이 초과'),
  row('63015', 'refused', 'template', 'Template not found', '템플릿 없음'),
  row('63016', 'refused', 'template', 'Text differs from the template', '메시지 내용이 템플릿과 다름'),
  row(
    '63018',
    'unsupported',
    'handset',
    'The recipient cannot receive messages',
    '메시지를 받을 수 없는 수신자',
  ),
  row('63020', 'refused', 'blocked', 'Blocked by the recipient', '수신자 차단'),
  row(
    '63021',
    'unsupported',
    'handset',
    'The messenger of the recipient is too old',
    '카카오톡 최소 버전 미지원',
  ),
  row('63025', 'refused', 'length', 'Variable too long', '변수 길이 초과'),
  row('63026', 'refused', 'length', 'Extra or event of a button too long', '버튼 extra, event 길이 초과'),
  row('63027', 'refused', 'template', 'Buttons differ from the template', '버튼이 템플릿과 다름'),
  row('63028', 'refused', 'template', 'Title differs from the template', '강조 타이틀이 템플릿과 다름'),
  row('63029', 'refused', 'length', 'Title too long', '강조 타이틀 길이 초과'),
  row('63030', 'refused', 'template', 'Type differs from the template', '메시지 타입이 템플릿과 다름'),
  row('63031', 'refused', 'template', 'Header differs from the template', '헤더가 템플릿과 다름'),
  row('63032', 'refused', 'length', 'Header too long', '헤더 길이 초과'),
  row(
    '63033',
    'refused',
    'template',
    'Item highlight differs from the template',
    '하이라이트가 템플릿과 다름',
  ),
  row('63034', 'refused', 'length', 'Title of the item highlight too long', '하이라이트 타이틀 길이 초과'),
  row(
    '63035',
    'refused',
    'length',
    'Description of the item highlight too long',
    '하이라이트 설명 길이 초과',
  ),
  row('63036', 'refused', 'template', 'Items differ from the template', '아이템 리스트가 템플릿과 다름'),
  row('63037', 'refused', 'length', 'Description of an item too long', '아이템 설명 길이 초과'),
  row(
    '63038',
    'refused',
    'template',
    'Item summary differs from the template',
    '아이템 요약이 템플릿과 다름',
  ),
  row('63039', 'refused', 'length', 'Description of the item summary too long', '아이템 요약 설명 길이 초과'),
  row(
    '63040',
    'refused',
    'content',
    'Item summary with a wrong character',
    '아이템 요약에 허용되지 않은 문자',
  ),
  row('64008', 'unregistered-sender', 'sender', 'The account has no right', '계정 권한 없음'),
  row('64133', 'refused', 'template', 'Template stopped', '중지된 템플릿'),
])
