import { newId } from '../api/new-id';
import type { ApiObject } from '../wire';

type NewProduct = {
  id?: string | undefined;
  name: string;
  active?: boolean | undefined;
  description?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
};

export function buildProduct(given: NewProduct, now: number): ApiObject<'product'> {
  return {
    id: given.id ?? newId('prod', 14),
    object: 'product',
    active: given.active ?? true,
    created: now,
    default_price: null,
    description: given.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata ?? {},
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  };
}
