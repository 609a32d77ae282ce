import { allRoutes, ErrorBody, errorsOf, parseWith, type Route } from '@kiln/contracts';

/** Fails when an answer is not what the catalogue says of its route: an unknown status, a body of another shape, an error code that is not listed. */
export function checkAnswer(method: string, url: string, status: number, body: unknown): void {
  const path = url.split('?')[0] ?? '';
  const route = allRoutes().find((each) => each.method === method && pattern(each).test(path));
  if (!route) return;
  if (status < 400) {
    if (status !== route.success.status) throw new Error(`${route.operationId} answered ${status}, not ${route.success.status}`);
    const { schema } = route.success.payload;
    if (schema && body !== undefined) parseWith(schema, body, `answer of ${route.operationId}`);
    return;
  }
  if (status === 503 && route.unavailable?.schema) {
    parseWith(route.unavailable.schema, body, `answer of ${route.operationId}`);
    return;
  }
  const { error } = parseWith(ErrorBody, body, `error of ${route.operationId}`);
  if (!errorsOf(route).includes(error.code))
    throw new Error(`${route.operationId} answered ${error.code}, which its catalogue entry does not list`);
}

function pattern({ path }: Route): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
