/** An id as this server writes it. Anything else names nothing, and would be an error of types in SQL. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
