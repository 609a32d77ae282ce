import { Controller, Header } from '@nestjs/common';
import { openApiDocument } from '@kiln/contracts';
import { ApiDependencies } from '../api-dependencies.js';
import { Operation } from '../http/operation.js';
import { DOCS_CONTENT_SECURITY_POLICY, DOCS_PAGE } from './docs-page.js';

@Controller()
export class OpenApiController {
  #document: Record<string, unknown> | undefined;

  constructor(private readonly api: ApiDependencies) {}

  @Operation('getOpenApi')
  document(): Record<string, unknown> {
    return (this.#document ??= openApiDocument(this.api.version));
  }

  @Operation('getDocs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', DOCS_CONTENT_SECURITY_POLICY)
  page(): string {
    return DOCS_PAGE;
  }
}
