/** Report codes in Korean: meaning, usual cause and next action, by cause (see report-meaning.ts). */
import { createMeaning, type ReportMeanings } from './report-meaning.ts'

/** Action for every unknown outcome. */
const mayHaveArrived = '이미 전달되었을 수 있습니다. 두 번 받아도 괜찮은 경우에만 다시 보내십시오.'

export const koreanMeanings: ReportMeanings = {
  byCause: {
    delivered: createMeaning('전달 완료', '통신사가 단말 수신을 확인했습니다.', '필요 없음.'),
    timeout: createMeaning(
      '유효 시간 내 전달되지 않음',
      '단말이 꺼져 있거나 서비스 지역 밖에 있거나, 통신사 결과가 제때 오지 않았습니다.',
      mayHaveArrived,
    ),
    'radio-failure': createMeaning(
      '무선 구간 오류',
      '무선망에서 단말에 연결하지 못했습니다.',
      '몇 분 뒤 다시 보내십시오.',
    ),
    'phone-off': createMeaning(
      '단말 전원 꺼짐',
      '통신사가 포기할 때까지 단말이 꺼져 있었습니다.',
      '나중에 다시 보내십시오.',
    ),
    'buffer-full': createMeaning(
      '단말 메시지함 가득 참',
      '단말에 메시지를 저장할 공간이 없습니다.',
      '수신자에게 메시지 삭제를 안내하고 나중에 다시 보내십시오.',
    ),
    'shadow-area': createMeaning(
      '음영 지역',
      '단말이 통신이 닿지 않는 곳에 있습니다.',
      '나중에 다시 보내십시오.',
    ),
    'temporary-failure': createMeaning(
      '통신사 일시 장애',
      '통신사 망에 장애나 과부하가 있었습니다.',
      '나중에 다시 보내고, 다수 실패하면 운영자에게 문의하십시오.',
    ),
    failed: createMeaning(
      '전달 실패',
      '통신사가 구체적인 사유 없이 실패로 처리했습니다.',
      '번호를 확인하고, 다른 건도 실패하면 운영자에게 문의하십시오.',
    ),
    'no-subscriber': createMeaning('결번', '없거나 해지된 번호입니다.', '수신 목록에서 번호를 삭제하십시오.'),
    'bad-number': createMeaning(
      '수신 번호 오류',
      '자릿수 또는 번호 종류가 맞지 않아 통신사가 받지 않습니다.',
      '번호를 바로잡고, 그대로 다시 보내지 마십시오.',
    ),
    refused: createMeaning(
      '통신사 거절',
      '내용이나 발신 번호 때문에 통신사가 접수를 거절했습니다.',
      '발신 번호와 내용을 확인하고 운영자에게 통신사 코드를 문의하십시오.',
    ),
    unsupported: createMeaning(
      '단말 미지원',
      '단말, 소프트웨어 또는 가입 상품이 이 메시지 종류를 지원하지 않습니다.',
      '문자로 보내거나 대체 발송을 설정하십시오.',
    ),
    spam: createMeaning(
      '스팸 차단',
      '통신사 또는 수신자의 필터가 스팸으로 판단했습니다.',
      '링크와 문구, 광고 표기를 확인하십시오.',
    ),
    attachment: createMeaning(
      '첨부 파일 오류',
      '이미지나 파일이 너무 크거나 형식이 다르거나 받을 수 없습니다.',
      '제한에 맞게 다시 등록한 뒤 보내십시오.',
    ),
    'unregistered-sender': createMeaning(
      '발신 번호 미등록',
      '이 계정의 발신 번호로 통신사에 등록되어 있지 않습니다.',
      '발신 번호를 등록한 뒤 다시 보내십시오.',
    ),
    duplicate: createMeaning(
      '중복 메시지',
      '같은 수신자에게 같은 메시지가 조금 전에 접수되었습니다.',
      '중복 발송이 아니라면 문구를 바꾸십시오.',
    ),
    'night-hours': createMeaning(
      '광고 발송 제한 시간',
      '이 시간에는 광고를 보낼 수 없습니다.',
      '허용 시간에 보내십시오.',
    ),
    'origin-code': createMeaning(
      'originCID 오류',
      '최초 발신사 식별 코드가 없거나 잘못되었습니다.',
      'originCID를 바로잡거나 등록하십시오.',
    ),
    cancelled: createMeaning('발송 전 취소', '발송 전에 고객이 메시지나 배치를 취소했습니다.', '필요 없음.'),
    'account-stopped': createMeaning(
      '정지된 계정',
      '메시지가 발송되기 전에 운영자가 계정을 정지했습니다.',
      '운영자에게 문의하십시오.',
    ),
    suppressed: createMeaning(
      '수신 거부',
      '메시지가 접수된 뒤 수신자가 광고 수신을 거부했습니다.',
      '이 수신자에게 광고를 보내지 마십시오.',
    ),
    cap: createMeaning(
      '발송 한도 초과',
      '발송 시점에 계정의 발송 한도가 모두 사용되었습니다.',
      '다음 날이나 다음 달에 보내거나 운영자에게 한도 조정을 요청하십시오.',
    ),
    'advertisement-form': createMeaning(
      '광고 형식 오류',
      '광고에 적힌 전송자 명칭 또는 무료 수신 거부 번호가 더 이상 계정에 등록되어 있지 않습니다.',
      '운영자에게 등록을 요청하거나 등록된 것으로 보내십시오.',
    ),
    'no-route': createMeaning(
      '발송 경로 없음',
      '이 채널을 처리하는 경로가 없거나 모두 중지되었습니다.',
      '운영자에게 문의하십시오. 운영자는 모든 경로와 상태를 볼 수 있습니다.',
    ),
    'outcome-unknown': createMeaning(
      '결과 확인 불가',
      '통신사 응답이 유실되고 결과도 오지 않았습니다.',
      mayHaveArrived,
    ),
  },
  // Codes with a different meaning in their family.
  byCode: {
    '33101': createMeaning(
      'RCS 미지원 단말',
      '단말이나 통신사가 RCS를 지원하지 않거나 꺼져 있습니다.',
      '문자 대체 발송을 설정하십시오.',
    ),
    '61003': createMeaning(
      '발신 프로필 키 오류',
      '발신 프로필 키가 없거나 차단되었거나 이 계정의 것이 아닙니다.',
      '발신 프로필 키를 바로잡으십시오.',
    ),
    '63005': createMeaning(
      '메신저 수신 확인 없음',
      '메신저가 제때 수신 여부를 알려 주지 않았습니다.',
      mayHaveArrived,
    ),
    '63019': createMeaning(
      '메신저 미사용자',
      '이 번호로 가입한 메신저 사용자가 없습니다.',
      '문자로 보내십시오.',
    ),
    '69999': createMeaning(
      '전달 실패',
      '메신저가 별도 코드가 없는 사유로 실패 처리했습니다.',
      '시도별 통신사 코드를 확인하고 대체 발송을 설정하십시오.',
    ),
  },
  byFault: {
    sender: {
      cause: '브랜드, 계약 또는 계정이 등록되어 있지 않거나 발송 권한이 없습니다.',
      action: '메시지의 키를 확인하고 등록한 뒤 다시 보내십시오.',
    },
    channel: {
      cause: '메신저가 발신 채널을 차단, 제재하거나 채널이 닫혔습니다.',
      action: '메신저에서 채널 상태를 확인하십시오.',
    },
    template: {
      cause: '메시지가 승인된 템플릿과 맞지 않습니다.',
      action: '메시지와 템플릿을 비교하고 수정한 뒤 다시 보내십시오.',
    },
    length: {
      cause: '변수를 채운 뒤 항목이 허용 길이를 넘었습니다.',
      action: '항목을 줄여 다시 보내십시오.',
    },
    content: { cause: '메시지의 항목을 통신사가 받지 않습니다.', action: '항목을 바로잡아 다시 보내십시오.' },
    handset: {
      cause: '수신자의 단말 또는 메신저가 이 메시지를 받을 수 없습니다.',
      action: '문자 대체 발송을 설정하십시오.',
    },
    blocked: {
      cause: '수신자가 채널 또는 이 종류의 메시지를 차단했습니다.',
      action: '이 채널로 보내지 마십시오.',
    },
    file: {
      cause: '통신사에 파일이 없거나 유효 기간이 지났습니다.',
      action: '파일을 다시 업로드하고 새 키를 사용하십시오.',
    },
  },
}
