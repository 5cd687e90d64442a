import { defineTexts } from '../../../texts/texts.ts'

export const stateTexts = defineTexts(
  {
    healthy: 'Healthy',
    disabled: 'Disabled',
    noOwner: 'No owner process',
    notLinked: 'Not linked to the carrier',
    draining: 'Draining',
    paused: 'Paused by an operator',
    breaker: 'Paused by the circuit breaker after failures',
    throttled: (share: string) => `Throttled by the carrier: ${share} of submissions`,
    delivers: (share: string, least: string) => `Delivers ${share}, less than ${least}`,
    trial: 'Testing after failures',
    shares: (usable: string, all: string) => `${usable} of ${all} shares usable`,
    'advice-disabled': 'The route has no link and accepts no messages. Enable it to use it again.',
    'advice-noOwner':
      'Check that workers are running. If they are, the worker log shows why none owns the route.',
    'advice-notLinked':
      'Check the address and login in the options and the latest changes by operators. The worker log shows the response of the carrier. Then contact the carrier. Messages use other routes or wait.',
    'advice-draining':
      'The route accepts no new messages and stays linked for receipts. Disable it when no receipts are pending, or reopen it.',
    'advice-paused':
      'The route stays linked and submits nothing. Reopen it when the reason no longer applies.',
    'advice-breaker':
      'Most submissions fail. Postern retries automatically. Check the codes of its messages and contact the carrier if the problem persists.',
    'advice-throttled':
      'Postern slows down automatically. If the problem persists, set a lower rate or ask the carrier for a higher one.',
    'advice-delivers':
      'Other routes are preferred. Check the codes of its messages and drain the route if the problem persists.',
    'advice-trial': 'Some messages are sent to test whether the route works again. No action is required.',
    'advice-shares': 'See below which share is down, and check the log of its worker.',
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
    trial: '실패 후 시험 중',
    shares: (usable, all) => `할당 ${all}개 중 ${usable}개 사용 가능`,
    'advice-disabled': '연결이 없고 메시지를 받지 않습니다. 다시 사용하려면 사용으로 전환하세요.',
    'advice-noOwner':
      '워커가 실행 중인지 확인하세요. 실행 중이면 워커 로그에 라우트를 담당하지 않는 이유가 있습니다.',
    'advice-notLinked':
      '옵션의 주소와 로그인 정보, 운영자의 최근 변경을 확인하세요. 워커 로그에 통신사의 응답이 있습니다. 그런 다음 통신사에 문의하세요. 메시지는 다른 라우트로 가거나 대기합니다.',
    'advice-draining':
      '새 메시지를 받지 않고 수신 결과를 위해 연결을 유지합니다. 남은 결과가 없으면 사용 중지하거나 다시 여세요.',
    'advice-paused': '연결은 유지하고 제출하지 않습니다. 사유가 해소되면 다시 여세요.',
    'advice-breaker':
      '대부분의 제출이 실패합니다. 자동으로 다시 시도합니다. 메시지의 코드를 확인하고, 계속되면 통신사에 문의하세요.',
    'advice-throttled':
      '자동으로 속도를 낮춥니다. 계속되면 속도를 낮게 설정하거나 통신사에 증속을 요청하세요.',
    'advice-delivers':
      '다른 라우트를 먼저 이용합니다. 메시지의 코드를 확인하고, 계속되면 이 라우트를 비우세요.',
    'advice-trial': '일부 메시지로 복구 여부를 확인하고 있습니다. 조치가 필요하지 않습니다.',
    'advice-shares': '아래에서 중단된 할당을 확인하고, 담당 워커의 로그를 확인하세요.',
  },
)
