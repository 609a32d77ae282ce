// Addresses are relative to /docs, so that the page also works behind a path prefix.
window.ui = window.SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
});
