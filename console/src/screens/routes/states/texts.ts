import { defineTexts } from '../../../texts/texts.ts'

export const stateTexts = defineTexts(
  {
    healthy: 'Healthy',
    disabled: 'Disabled',
    noOwner: 'No process owns it',
    notLinked: 'Not linked to its carrier',
    draining: 'Draining',
    paused: 'Paused by an operator',
    breaker: 'Paused by its circuit breaker after failures',
    throttled: (share: string) => `Throttled by its carrier: ${share} of submissions`,
    delivers: (share: string, least: string) => `Delivers ${share}, less than ${least}`,
    trial: 'On trial after failures',
    shares: (usable: string, all: string) => `${usable} of ${all} shares can be used`,
    'advice-disabled': 'It has no link and takes nothing. Enable it when it is to be used again.',
    'advice-noOwner':
      'Check that workers run. If they do, the log of a worker says why it does not own the route.',
    'advice-notLinked':
      'Check address and login in its options, and what operators changed last; the log of its worker has what the carrier answered. Then call the carrier. Its messages take other routes, or wait.',
    'advice-draining':
      'It takes nothing new and stays linked for receipts. Disable it when no receipt is owed, or open it again.',
    'advice-paused': 'It stays linked and submits nothing. Open it again when the reason has passed.',
    'advice-breaker':
      'The carrier fails what it is given. It is tried again by itself; search its messages for the codes, and call the carrier if it stays.',
    'advice-throttled':
      'Its owner sends more slowly by itself. If it stays, set a lower rate or ask the carrier for more.',
    'advice-delivers':
      'Other routes are preferred meanwhile. See which codes its messages end with; drain it if it stays.',
    'advice-trial': 'Some messages are sent to see whether it works again. Nothing to do yet.',
    'advice-shares': 'See below which share is down, and the log of the worker that owns it.',
  },
  {
    healthy: '정상',
    disabled: '사용 중지',
    noOwner: '담당 프로세스 없음',
    notLinked: '통신사와 연결되지 않음',
    draining: '비우는 중',
    paused: '운영자가 일시 중지함',
    breaker: '실패가 많아 서킷 브레이커가 차단함',
    throttled: (share) => `통신사가 속도를 제한함: 제출의 ${share}`,
    delivers: (share, least) => `전달률 ${share}, 기준 ${least} 미만`,
    trial: '장애 후 시험 중',
    shares: (usable, all) => `공유 ${all}개 중 ${usable}개 사용 가능`,
    'advice-disabled': '연결이 없고 메시지를 받지 않습니다. 다시 사용하려면 사용으로 전환하세요.',
    'advice-noOwner':
      '워커가 실행 중인지 확인하세요. 실행 중이면 워커 로그에 라우트를 담당하지 않는 이유가 있습니다.',
    'advice-notLinked':
      '옵션의 주소와 로그인 정보, 운영자의 최근 변경을 확인하세요. 워커 로그에 통신사의 응답이 있습니다. 그다음 통신사에 문의하세요. 메시지는 다른 라우트로 가거나 대기합니다.',
    'advice-draining':
      '새 메시지를 받지 않고 수신 결과를 위해 연결을 유지합니다. 받을 결과가 없으면 중지하거나 다시 여세요.',
    'advice-paused': '연결은 유지하고 제출하지 않습니다. 사유가 해소되면 다시 여세요.',
    'advice-breaker':
      '통신사가 메시지를 실패로 처리합니다. 자동으로 다시 시도합니다. 메시지의 코드를 확인하고 지속되면 통신사에 문의하세요.',
    'advice-throttled':
      '담당 프로세스가 스스로 속도를 낮춥니다. 지속되면 속도를 낮추거나 통신사에 증속을 요청하세요.',
    'advice-delivers': '그동안 다른 라우트가 우선합니다. 메시지의 종료 코드를 확인하고 지속되면 비우세요.',
    'advice-trial': '복구되었는지 일부 메시지로 확인하고 있습니다. 아직 조치할 것이 없습니다.',
    'advice-shares': '아래에서 어느 공유가 중단되었는지 확인하고, 담당 워커의 로그를 보세요.',
  },
)
