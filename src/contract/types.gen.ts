// Generated from openapi.yaml by tools/generate-contract.ts. Not to be edited.
export interface paths {
    "/v3/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Get card
         * @deprecated
         */
        get: operations["cards.get.v3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an account
         * @deprecated
         */
        patch: operations["accounts.patch.v3"];
        trace?: never;
    };
    "/v4/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /** Get card */
        get: operations["cards.get.v4"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v4/card/cardnumber": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get card using card number (PAN); the number is sent in the request body
         * @description POST and yet read: the number must not stand in a URL. It travels as a compact JWE; without a key only a sandbox or test profile sends it clear.
         */
        post: operations["cards.getByNumber.v4"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v4/reference/{refNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Reference number of the card. */
                refNumber: components["parameters"]["RefNumber"];
            };
            cookie?: never;
        };
        /** Get card using reference number */
        get: operations["cards.getByReference.v4"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v4/customer/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        /** Get cards of a customer */
        get: operations["cards.listByCustomer.v4"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v4/account/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /** Get cards of an account */
        get: operations["cards.listByAccount.v4"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/customer/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        /**
         * Get cards of a customer
         * @deprecated
         */
        get: operations["cards.listByCustomer.v3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        /**
         * Get cards of an account
         * @deprecated
         */
        get: operations["cards.listByAccount.v3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/{id}/encryptcardpaymentinfo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get card payment info (encrypted) */
        post: operations["cards.paymentInfo.v3"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v4/card/{cardId}/controlToken": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Initiate card data retrieval
         * @description Only the card's existence is checked, not its status.
         */
        post: operations["cards.controlToken.v4"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/{id}/plastic": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /** Get plastics of a card */
        get: operations["cards.plastics.v3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * View PIN
         * @deprecated
         */
        post: operations["pin.view.v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/set/tzpk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get TZPK for set PIN
         * @deprecated
         */
        post: operations["pin.tzpk.v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set PIN
         * @deprecated
         */
        post: operations["pin.set.v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** View PIN */
        post: operations["pin.view.v3"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/set/tzpk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get TZPK for set PIN */
        post: operations["pin.tzpk.v3"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set PIN */
        post: operations["pin.set.v3"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/plastic/{plasticId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plasticId: components["parameters"]["PlasticId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a control id for a PIN operation */
        post: operations["pincontrol.create.v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v4/CREDIT/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update a credit account */
        patch: operations["accounts.patchCredit.v4"];
        trace?: never;
    };
    "/v4/CREDIT/reminder/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update credit account reminder data */
        patch: operations["accounts.patchCreditReminder.v4"];
        trace?: never;
    };
    "/v4/DEBIT/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update a debit account */
        patch: operations["accounts.patchDebit.v4"];
        trace?: never;
    };
    "/v4/PREPAID/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update a prepaid account */
        patch: operations["accounts.patchPrepaid.v4"];
        trace?: never;
    };
    "/v4/FLEET/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update a fleet account */
        patch: operations["accounts.patchFleet.v4"];
        trace?: never;
    };
    "/v4/{multiCurr}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account type segment. */
                multiCurr: components["parameters"]["MultiCurr"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update a multicurrency account; {multiCurr} is the account type segment */
        patch: operations["accounts.patchMulticurrency.v4"];
        trace?: never;
    };
    "/v3/{id}/update/{propertyToUpdate}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                /** @description WRITE_OFF is for credit accounts only; IMMEDIATE_ACCOUNT_CLOSE needs a balance of zero. */
                propertyToUpdate: components["parameters"]["PropertyToUpdate"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update account; {propertyToUpdate} names the property
         * @deprecated
         */
        post: operations["accounts.updateProperty.v3"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pricelist/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a price list
         * @description Takes the list's inactive periods along; refused (409) while a period is active.
         */
        delete: operations["pricelists.delete.v1"];
        options?: never;
        head?: never;
        /** Update a price list */
        patch: operations["pricelists.patch.v1"];
        trace?: never;
    };
    "/v1/pricelist/period/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a price list period
         * @description Only a period that starts in the future can be deleted (409).
         */
        delete: operations["pricelists.deletePeriod.v1"];
        options?: never;
        head?: never;
        /**
         * Update a price list period
         * @description An active period lets only validTo change, an expired one nothing (409).
         */
        patch: operations["pricelists.patchPeriod.v1"];
        trace?: never;
    };
    "/v1/a2a/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all batch transfers */
        get: operations["a2a.list.v1"];
        put?: never;
        /** Create a batch transfer */
        post: operations["a2a.create.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/a2a/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /** Get full batch information, including transfer items */
        get: operations["a2a.get.v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/a2a/batches/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /** Get batch status */
        get: operations["a2a.status.v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{cardId}/provision/walleta": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Provision a card to wallet A */
        post: operations["wallets.provisionA.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{cardId}/provision/walletb": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Provision a card to wallet B */
        post: operations["wallets.provisionB.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{cardId}/provision/walletc": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Provision a card to wallet C */
        post: operations["wallets.provisionC.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{cardId}/provision/issuerwallet/{walletProvider}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
                walletProvider: components["parameters"]["WalletProvider"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Provision a card to an issuer wallet; {walletProvider} selects the provider */
        post: operations["wallets.provisionIssuer.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/enroll/customer/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enrol a customer and a card */
        post: operations["remotecheckout.enrollCustomer.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/enroll/card/{cardId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol a card by card id
         * @description The customer is enrolled already.
         */
        post: operations["remotecheckout.enrollCard.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/customer/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a customer */
        post: operations["remotecheckout.getCustomer.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/delete/card/{cardId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete a card */
        post: operations["remotecheckout.deleteCard.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/delete/customer/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a customer
         * @description Takes the cards of the customer along.
         */
        post: operations["remotecheckout.deleteCustomer.v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/update/card/{cardId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        get?: never;
        /** Update a card */
        put: operations["remotecheckout.updateCard.v1"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/update/customer/{customerId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        get?: never;
        /** Update customer status */
        put: operations["remotecheckout.updateCustomerStatus.v1"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/update/customer/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        get?: never;
        /** Update a customer */
        put: operations["remotecheckout.updateCustomer.v1"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remotecheckout/NETWORK_A/status/{traceId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The requestTraceId of an earlier call. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        /** Get status of an operation */
        get: operations["remotecheckout.status.v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tell what is and isn't simulated */
        get: operations["sandbox.info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the demo data back
         * @description Everything that was done since is lost; clock and faults are reset too.
         */
        post: operations["sandbox.reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the clock */
        get: operations["sandbox.clock.get"];
        put?: never;
        /** Move the clock forward */
        post: operations["sandbox.clock.advance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/state/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["parameters"]["StateKind"];
            };
            cookie?: never;
        };
        /** List things of a kind */
        get: operations["sandbox.state.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/state/{kind}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["parameters"]["StateKind"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /** Show one thing */
        get: operations["sandbox.state.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Set members of one thing */
        patch: operations["sandbox.state.set"];
        trace?: never;
    };
    "/_sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List faults */
        get: operations["sandbox.faults.list"];
        put?: never;
        /** Add a fault */
        post: operations["sandbox.faults.add"];
        /** Remove all faults */
        delete: operations["sandbox.faults.clear"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/authorisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List authorisations */
        get: operations["sandbox.authorisations.list"];
        put?: never;
        /** Run an authorisation */
        post: operations["sandbox.authorisations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/authorisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /** Show an authorisation */
        get: operations["sandbox.authorisations.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/authorisations/{id}/reversal": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reverse an authorisation, wholly or in part */
        post: operations["sandbox.authorisations.reverse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/authorisations/{id}/clearing": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Clear an authorisation */
        post: operations["sandbox.authorisations.clear"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clearings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Clear without an authorisation */
        post: operations["sandbox.clearings.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "webhook.warmUp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Warm-up of the webhook endpoint
         * @description Opens connections so that the first real request is fast; must have no side effect.
         */
        post: operations["webhook.warmUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authorisation control request
         * @description To be answered within the deadline (2,000 ms by default), else the service decides by its fallback. The same metadata.id gets the same answer. A late answer counts as none.
         */
        post: operations["webhook.auth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        PathId: string;
        /** @description Numeric, as text. */
        NumericId: string;
        /** @description Any JSON value. */
        AnyJson: unknown;
        Nothing: Record<string, never>;
        Problem: {
            /** Format: uri-reference */
            type?: string;
            title: string;
            status: number;
            detail?: string;
            instance?: string;
            /** @description Names this one failure, for the service's support. */
            id?: string;
            /** Format: date-time */
            timestamp?: string;
        };
        Confirmation: {
            description: string;
            id: components["schemas"]["NumericId"];
        };
        /** @description ISO 4217, alphabetic. */
        Currency: string;
        /** @description ISO 3166-1, alpha-3. */
        Country: string;
        /** @description A decimal number in units of its currency. */
        DecimalAmount: number;
        Amount: {
            amount: components["schemas"]["DecimalAmount"];
            currency: components["schemas"]["Currency"];
        };
        /** @description Date and time without a zone. */
        LocalDateTime: string;
        /**
         * Format: date-time
         * @description RFC 3339 with Z.
         */
        UtcDateTime: string;
        /** Format: date */
        NullableDate: string | null;
        /** @description Key and value pairs of the programme's own. An array, so a PATCH replaces all of them. */
        AdditionalValues: {
            key: string;
            value: string | number | boolean | null;
        }[];
        /** @enum {string} */
        Segment: "SEGMENT_A" | "SEGMENT_B" | "SEGMENT_C" | "SEGMENT_D" | "SEGMENT_E" | "SEGMENT_F";
        /** @enum {string} */
        LimitPeriod: "24H" | "DAILY" | "WEEKLY" | "MONTHLY";
        /** @enum {string} */
        LimitUse: "ATM" | "RETAIL" | "ALL";
        /** @description Base64 of the SubjectPublicKeyInfo in DER, no BEGIN and END lines. The pair is made and used on the cardholder's device, one pair per use. */
        RsaPublicKey: string;
        /** @enum {string} */
        CardRole: "MAIN" | "SUPPLEMENTARY";
        /** @enum {string} */
        CardStatus: "CARD_OK" | "CARD_BLOCKED" | "SUSPECTED_FRAUD" | "CARD_NO_RENEWAL" | "CARD_CLOSED_DUE_TO_FRAUD" | "CARD_LOST" | "CARD_STOLEN" | "CARD_CLOSED" | "CARD_EXPIRED";
        /** @example 41111111____1111 */
        MaskedCardNumber: string;
        YearAndMonth: {
            year: number;
            month: number;
        } | null;
        EmbossedNames: {
            companyName?: string | null;
            firstName?: string | null;
            lastName?: string | null;
        } | null;
        Embossing: {
            firstName?: string | null;
            lastName?: string | null;
            companyName?: string | null;
            additionalField1?: string | null;
            additionalField2?: string | null;
            additionalField3?: string | null;
            additionalField4?: string | null;
            additionalField5?: string | null;
            externalLayoutCode?: string | null;
            manufacturer?: string | null;
            physical?: boolean | null;
        } | null;
        CardAddress: {
            address1?: string | null;
            address2?: string | null;
            address3?: string | null;
            address4?: string | null;
            city?: string | null;
            region?: string | null;
            zipCode?: string | null;
            /** @description ISO 3166-1, alpha-3. */
            country?: string | null;
        } | null;
        CardUsageLimits: {
            code: components["schemas"]["LimitPeriod"];
            values: {
                code: components["schemas"]["LimitUse"];
                /** @description 0 means no limit. */
                singleAmount?: number | null;
                /** @description 0 means no limit. */
                sumAmount?: number | null;
                /** @description 9999999 means no limit. */
                count?: number | null;
                availableAmount?: number | null;
                availableCount?: number | null;
            }[];
        }[];
        /** @description true blocks. */
        RegionAndEcommBlocking: {
            home?: boolean | null;
            europe?: boolean | null;
            africa?: boolean | null;
            asia?: boolean | null;
            oceania?: boolean | null;
            northAmerica?: boolean | null;
            southAmerica?: boolean | null;
            ecomm?: boolean | null;
        } | null;
        /** @enum {string|null} */
        CardDeliveryType: "MAIL" | "COURIER" | "CUSTOM_1" | "CUSTOM_2" | "CUSTOM_3" | "CUSTOM_4" | "CUSTOM_5" | null;
        /** @enum {string|null} */
        PinDeliveryType: "MAIL" | "COURIER" | "CUSTOM_1" | "CUSTOM_2" | "CUSTOM_3" | "CUSTOM_4" | "CUSTOM_5" | "EPIN" | null;
        /**
         * @description D generated, W waiting to be set by the cardholder, S set.
         * @enum {string|null}
         */
        PinStatus: "D" | "W" | "S" | null;
        PinAttempts: {
            counter?: number | null;
            max?: number | null;
        } | null;
        ScheduledClosing: {
            time?: string | null;
            type?: string | null;
        } | null;
        CardAdditionalValues: {
            key: string;
            value: string | number | boolean | null;
        }[] | null;
        CardV4: {
            id: components["schemas"]["NumericId"];
            customerId: components["schemas"]["NumericId"];
            accountId: components["schemas"]["NumericId"];
            template: string | null;
            productCode: string | null;
            cardRole: components["schemas"]["CardRole"];
            status: components["schemas"]["CardStatus"];
            statusDate?: components["schemas"]["LocalDateTime"];
            reason?: string | null;
            maskedCardNumber: components["schemas"]["MaskedCardNumber"];
            referenceNumber?: string | null;
            expiration?: components["schemas"]["YearAndMonth"];
            embossing?: components["schemas"]["Embossing"];
            cardAddress?: components["schemas"]["CardAddress"];
            pinAddress?: components["schemas"]["CardAddress"];
            cardDeliveryType?: components["schemas"]["CardDeliveryType"];
            pinDeliveryType?: components["schemas"]["PinDeliveryType"];
            pinStatus?: components["schemas"]["PinStatus"];
            pinAttempts?: components["schemas"]["PinAttempts"];
            /** @enum {string|null} */
            segment?: "SEGMENT_A" | "SEGMENT_B" | "SEGMENT_C" | "SEGMENT_D" | "SEGMENT_E" | "SEGMENT_F" | null;
            usageLimits?: components["schemas"]["CardUsageLimits"];
            regionAndEcommBlocking?: components["schemas"]["RegionAndEcommBlocking"];
            scheduledClosing?: components["schemas"]["ScheduledClosing"];
            digitalLayoutCode?: string | null;
            additionalValues?: components["schemas"]["CardAdditionalValues"];
        };
        CardV3: {
            id: components["schemas"]["NumericId"];
            customerId: components["schemas"]["NumericId"];
            accountId: components["schemas"]["NumericId"];
            cardTemplate: string | null;
            cardRole: components["schemas"]["CardRole"];
            status: components["schemas"]["CardStatus"];
            statusDate?: components["schemas"]["LocalDateTime"];
            reason?: string | null;
            truncatedCardNumber: components["schemas"]["MaskedCardNumber"];
            referenceNumber?: string | null;
            expiration?: components["schemas"]["YearAndMonth"];
            embossing?: components["schemas"]["Embossing"];
            cardAddress?: components["schemas"]["CardAddress"];
            pinAddress?: components["schemas"]["CardAddress"];
            cardDeliveryType?: components["schemas"]["CardDeliveryType"];
            pinDeliveryType?: components["schemas"]["PinDeliveryType"];
            pinStatus?: components["schemas"]["PinStatus"];
            pinAttempts?: components["schemas"]["PinAttempts"];
            /** @enum {string|null} */
            segment?: "SEGMENT_A" | "SEGMENT_B" | "SEGMENT_C" | "SEGMENT_D" | "SEGMENT_E" | "SEGMENT_F" | null;
            usageLimits?: components["schemas"]["CardUsageLimits"];
            regionAndEcommBlocking?: components["schemas"]["RegionAndEcommBlocking"];
            scheduledClosing?: components["schemas"]["ScheduledClosing"];
            digitalLayoutCode?: string | null;
            additionalValues?: components["schemas"]["CardAdditionalValues"];
        };
        CardSummaryV4: {
            id: components["schemas"]["NumericId"];
            customerId: components["schemas"]["NumericId"];
            accountId: components["schemas"]["NumericId"];
            template?: string | null;
            productCode?: string | null;
            cardRole: components["schemas"]["CardRole"];
            status: components["schemas"]["CardStatus"];
            maskedCardNumber: components["schemas"]["MaskedCardNumber"];
            statusDate?: components["schemas"]["LocalDateTime"];
            embossing?: components["schemas"]["EmbossedNames"];
        };
        CardSummaryV3: {
            id: components["schemas"]["NumericId"];
            customerId: components["schemas"]["NumericId"];
            accountId: components["schemas"]["NumericId"];
            cardTemplate?: string | null;
            cardRole: components["schemas"]["CardRole"];
            status: components["schemas"]["CardStatus"];
            truncatedCardNumber: components["schemas"]["MaskedCardNumber"];
            statusDate?: components["schemas"]["LocalDateTime"];
            embossing?: components["schemas"]["EmbossedNames"];
        };
        CardNumberQuery: {
            /** @description Compact JWE of {cardNumber}, RSA-OAEP-256 with A256GCM, kid in the header. */
            encryptedData?: string;
            cardNumber?: string;
        };
        PaymentInfoRequest: {
            encryptionKey: components["schemas"]["RsaPublicKey"];
            /** @enum {string} */
            encryptionMethod: "RSA_ECB_OAEP_SHA256_MGF1_2048";
            fields: ("fullCardNumber" | "expirationDate" | "cvv2")[];
        };
        /** @description Each member its own base64 RSA ciphertext, and only those asked for. */
        PaymentInfo: {
            fullCardNumber?: string;
            /** @description Clear in a newer generation of the service; both are read. */
            expirationDate?: string;
            cvv2?: string;
        };
        /** @description A browser loads the frame URL and posts it {operation view-pan, token}; a phone posts the token to cardDataUrl and gets HTML. */
        CardControlToken: {
            /** @description Lives 30 seconds. */
            token: string;
            /** Format: uri */
            cardDataUrl: string;
            /** Format: uri */
            cardDataFrameUrl: string;
        };
        Plastic: {
            id: components["schemas"]["NumericId"];
            cardId: components["schemas"]["NumericId"];
            sequenceNumber: number;
            status: string;
            expiration?: components["schemas"]["YearAndMonth"];
            createdDate?: string | null;
            productionDate?: string | null;
            productionType?: string | null;
            embossing?: components["schemas"]["Embossing"];
        };
        /** @description Made by pincontrol.create.v2; lives 30 seconds. */
        ControlId: string;
        /** @description Base64 of an 8-byte ISO 9564-1 format 1 block under the tzpk (3DES, ECB, no padding). */
        PinBlock: string;
        /** @description Base64 of a 16-byte double-length 3DES key, enciphered under publicKey; to be widened K1|K2|K1. */
        Tzpk: string;
        PinKeyRequest: {
            controlId: components["schemas"]["ControlId"];
            publicKey: components["schemas"]["RsaPublicKey"];
        };
        PinView: {
            tzpk: components["schemas"]["Tzpk"];
            pinBlock: components["schemas"]["PinBlock"];
        };
        PinTzpk: {
            tzpk: components["schemas"]["Tzpk"];
        };
        PinSetRequest: {
            controlId: components["schemas"]["ControlId"];
            pinBlock: components["schemas"]["PinBlock"];
        };
        PinControlRequest: {
            /** @enum {string} */
            scope: "VIEW_PIN" | "SET_PIN";
        };
        PinControl: {
            id: components["schemas"]["ControlId"];
            /** Format: uri */
            pinURL: string;
            /** Format: uri */
            pinFrameURL: string;
        };
        /** @description Replaced whole; null clears it. */
        AccountAddress: {
            address1?: string | null;
            address2?: string | null;
            address3?: string | null;
            address4?: string | null;
            city?: string | null;
            /** @description ISO 3166-1, alpha-3. */
            country?: string | null;
            region?: string | null;
            zipCode?: string | null;
        } | null;
        /** @description Replaced whole. */
        AccountAddressV3: {
            address1?: string | null;
            address2?: string | null;
            address3?: string | null;
            address4?: string | null;
            city?: string | null;
            /** @description ISO 3166-1, alpha-3. */
            country?: string | null;
            region?: string | null;
            zipCode?: string | null;
        };
        AccountName: string | null;
        AccountNumber: string;
        ChangeReason: string | null;
        /** @enum {string|null} */
        ClosureReason: "CLOSED1" | "CLOSED2" | "CLOSED3" | "CLOSED4" | "CLOSED5" | null;
        /** @description Numeric, as text. */
        ParentAccountId: string | null;
        /** @enum {string} */
        AccountStatus: "ACCOUNT_OK" | "ACCOUNT_BLOCKED" | "ACCOUNT_TO_CLOSE";
        /** @enum {string} */
        CreditAccountStatus: "ACCOUNT_OK" | "ACCOUNT_BLOCKED" | "ACCOUNT_TO_CLOSE" | "ACCOUNT_COLLECTION";
        /** @description Replaced whole, as every array of a PATCH. */
        UsageLimits: {
            code: components["schemas"]["LimitPeriod"];
            values: {
                code: components["schemas"]["LimitUse"];
                /** @description Zeroes the counters. */
                reset?: boolean;
                /** @description At most this much at once; 0 means no limit. */
                singleAmount?: number;
                /** @description At most this often; 9999999 means that no limit is in effect. */
                count?: number;
                /** @description At most this much in the period; 0 means no limit. */
                sumAmount?: number;
            }[];
        }[];
        PaymentReference: {
            /** @enum {string} */
            type?: "MOD10" | "FINNISH_7_3_1";
            number?: string;
        } | null;
        EInvoice: {
            address?: string | null;
            operator?: string | null;
            paymentInstruction?: string | null;
        } | null;
        EInvoiceV3: {
            address?: string | null;
            operator?: string | null;
            paymentInstruction?: string | null;
        };
        CreditLimit: number;
        MinimumToPay: {
            amount?: number;
            percentage?: number;
        };
        /** @description Past the month's end it is the month's last day. */
        DayOfMonth: number;
        /** @enum {string} */
        InvoiceDeliveryMethod: "REGULAR_MAIL" | "EMAIL" | "E_INVOICE" | "CUSTOM_1" | "CUSTOM_2" | "CUSTOM_3" | "CUSTOM_4" | "CUSTOM_5";
        /** @enum {string} */
        InvoicePaymentMethod: "DIRECT_DEBIT" | "PLUS_GIROT" | "BANK_GIROT";
        /** a credit account */
        AccountPatchCredit: {
            address?: components["schemas"]["AccountAddress"];
            additionalValues?: components["schemas"]["AdditionalValues"];
            customerId?: components["schemas"]["NumericId"];
            name?: components["schemas"]["AccountName"];
            number?: components["schemas"]["AccountNumber"];
            reason?: components["schemas"]["ChangeReason"];
            segment?: components["schemas"]["Segment"];
            closureReason?: components["schemas"]["ClosureReason"];
            usageLimits?: components["schemas"]["UsageLimits"];
            paymentReference?: components["schemas"]["PaymentReference"];
            status?: components["schemas"]["CreditAccountStatus"];
            parentId?: components["schemas"]["ParentAccountId"];
            creditLimit?: components["schemas"]["CreditLimit"];
            eInvoice?: components["schemas"]["EInvoice"];
            interestPostingEnabled?: boolean;
            invoiceDayOfMonth?: components["schemas"]["DayOfMonth"];
            invoiceDeliveryMethod?: components["schemas"]["InvoiceDeliveryMethod"];
            minimumToPay?: components["schemas"]["MinimumToPay"];
            invoicePaymentMethod?: components["schemas"]["InvoicePaymentMethod"];
            /** @description Days. */
            paymentTerms?: number;
        };
        /** the reminders of a credit account */
        CreditReminderPatch: {
            disableReminderProcess?: boolean;
            reminder1TriggerDate?: components["schemas"]["NullableDate"];
            reminder2TriggerDate?: components["schemas"]["NullableDate"];
            reminder3TriggerDate?: components["schemas"]["NullableDate"];
            reminder4TriggerDate?: components["schemas"]["NullableDate"];
            reminder5TriggerDate?: components["schemas"]["NullableDate"];
            reminder6TriggerDate?: components["schemas"]["NullableDate"];
            reminder7TriggerDate?: components["schemas"]["NullableDate"];
            collectionTriggerDate?: components["schemas"]["NullableDate"];
        };
        /** a debit account */
        AccountPatchDebit: {
            address?: components["schemas"]["AccountAddress"];
            additionalValues?: components["schemas"]["AdditionalValues"];
            customerId?: components["schemas"]["NumericId"];
            name?: components["schemas"]["AccountName"];
            number?: components["schemas"]["AccountNumber"];
            reason?: components["schemas"]["ChangeReason"];
            segment?: components["schemas"]["Segment"];
            closureReason?: components["schemas"]["ClosureReason"];
            usageLimits?: components["schemas"]["UsageLimits"];
            paymentReference?: components["schemas"]["PaymentReference"];
            status?: components["schemas"]["AccountStatus"];
        };
        /** a prepaid account */
        AccountPatchPrepaid: {
            address?: components["schemas"]["AccountAddress"];
            additionalValues?: components["schemas"]["AdditionalValues"];
            customerId?: components["schemas"]["NumericId"];
            name?: components["schemas"]["AccountName"];
            number?: components["schemas"]["AccountNumber"];
            reason?: components["schemas"]["ChangeReason"];
            segment?: components["schemas"]["Segment"];
            closureReason?: components["schemas"]["ClosureReason"];
            usageLimits?: components["schemas"]["UsageLimits"];
            paymentReference?: components["schemas"]["PaymentReference"];
            status?: components["schemas"]["AccountStatus"];
            parentId?: components["schemas"]["ParentAccountId"];
        };
        /** a fleet account */
        AccountPatchFleet: {
            address?: components["schemas"]["AccountAddress"];
            additionalValues?: components["schemas"]["AdditionalValues"];
            customerId?: components["schemas"]["NumericId"];
            name?: components["schemas"]["AccountName"];
            number?: components["schemas"]["AccountNumber"];
            reason?: components["schemas"]["ChangeReason"];
            segment?: components["schemas"]["Segment"];
            closureReason?: components["schemas"]["ClosureReason"];
            usageLimits?: components["schemas"]["UsageLimits"];
            paymentReference?: components["schemas"]["PaymentReference"];
            status?: components["schemas"]["AccountStatus"];
            parentId?: components["schemas"]["ParentAccountId"];
            creditLimit?: components["schemas"]["CreditLimit"];
            eInvoice?: components["schemas"]["EInvoice"];
            invoiceDeliveryMethod?: components["schemas"]["InvoiceDeliveryMethod"];
            invoiceDayOfMonth?: components["schemas"]["DayOfMonth"];
            minimumToPay?: components["schemas"]["MinimumToPay"];
            invoicePaymentMethod?: components["schemas"]["InvoicePaymentMethod"];
            additionalInvoiceDaysOfMonth?: components["schemas"]["DayOfMonth"][];
            externalCustomerReference?: string | null;
            /**
             * @description Days.
             * @enum {integer}
             */
            paymentTerms?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 | 45;
            /** @description Either true blocks the account's cards. */
            accountCardBlocks?: {
                softblock?: boolean;
                hardblock?: boolean;
            };
            /**
             * @deprecated
             * @description Use accountCardBlocks.
             * @enum {string}
             */
            accountsCardStatuses?: "OK" | "SOFT_BLOCK" | "HARD_BLOCK";
        };
        /** a multicurrency account */
        AccountPatchMulticurrency: {
            address?: components["schemas"]["AccountAddress"];
            additionalValues?: components["schemas"]["AdditionalValues"];
            customerId?: components["schemas"]["NumericId"];
            name?: components["schemas"]["AccountName"];
            number?: components["schemas"]["AccountNumber"];
            reason?: components["schemas"]["ChangeReason"];
            segment?: components["schemas"]["Segment"];
            closureReason?: components["schemas"]["ClosureReason"];
            usageLimits?: components["schemas"]["UsageLimits"];
            paymentReference?: components["schemas"]["PaymentReference"];
            status?: components["schemas"]["AccountStatus"];
            creditLimit?: components["schemas"]["CreditLimit"];
            /** @description With true the client's webhook checks the balance. */
            externalBalanceCheck?: boolean;
            interestPostingEnabled?: boolean;
            underInvestigation?: boolean;
            subAccountTemplates?: string[];
        };
        /** an account in v3 */
        AccountPatchV3: {
            address?: components["schemas"]["AccountAddressV3"];
            creditLimit?: components["schemas"]["CreditLimit"];
            customerId?: components["schemas"]["NumericId"];
            eInvoice?: components["schemas"]["EInvoiceV3"];
            number?: components["schemas"]["AccountNumber"];
            invoiceDeliveryMethod?: components["schemas"]["InvoiceDeliveryMethod"];
            minimumToPay?: components["schemas"]["MinimumToPay"];
            paymentReference?: components["schemas"]["PaymentReference"];
            reason?: components["schemas"]["ChangeReason"];
            segment?: components["schemas"]["Segment"];
            status?: components["schemas"]["CreditAccountStatus"];
            usageLimits?: components["schemas"]["UsageLimits"];
        };
        /** a price list */
        PriceListPatch: {
            code?: string;
        };
        /** a price list period */
        PricePeriodPatch: {
            validFrom?: components["schemas"]["UtcDateTime"];
            /**
             * Format: date-time
             * @description RFC 3339 with Z; null means open.
             */
            validTo?: string | null;
            value?: number;
            /** @description Moves the period to another list. */
            priceListId?: string;
        };
        /** a batch transfer */
        BatchCreate: {
            description?: string;
            transfers: components["schemas"]["TransferRequest"][];
        };
        TransferRequest: {
            fromAccountId: components["schemas"]["NumericId"];
            toAccountId: components["schemas"]["NumericId"];
            amount: number;
            currency: components["schemas"]["Currency"];
            text?: string;
        };
        /** @enum {string} */
        BatchState: "IN_PROGRESS" | "COMPLETED" | "FAILED" | "COMPLETED_WITH_ERRORS";
        /** @enum {string} */
        TransferState: "IN_PROGRESS" | "COMPLETED" | "FAILED";
        BatchId: string;
        /** @description Currency to sum. */
        TotalsByCurrency: {
            [key: string]: components["schemas"]["DecimalAmount"];
        };
        Batch: {
            id: components["schemas"]["BatchId"];
            status: components["schemas"]["BatchState"];
            startTime: components["schemas"]["LocalDateTime"];
            transferItemCount: number;
            description?: string | null;
            totalAmount: components["schemas"]["TotalsByCurrency"];
        };
        BatchStatusReply: {
            id: components["schemas"]["BatchId"];
            status: components["schemas"]["BatchState"];
            startTime: components["schemas"]["LocalDateTime"];
            transferItemCount: number;
            description?: string | null;
            totalAmount: components["schemas"]["TotalsByCurrency"];
            /** @description Date and time without a zone; null or absent while in progress. */
            completionTime?: string | null;
            successfulTransferItems?: number;
            failedTransferItems?: number;
        };
        BatchList: {
            size: number;
            items: components["schemas"]["BatchStatusReply"][];
            lastEvaluatedKey?: components["schemas"]["BatchListKey"];
        };
        BatchListKey: {
            institutionId?: string | number;
            startTime?: string | number;
            id?: string | number;
        };
        BatchItemKey: {
            batchTransferId?: string | number;
            status?: string | number;
            transferId?: string | number;
        };
        BatchWithItems: {
            id: components["schemas"]["BatchId"];
            status: components["schemas"]["BatchState"];
            startTime: components["schemas"]["LocalDateTime"];
            transferItemCount: number;
            description?: string | null;
            totalAmount: components["schemas"]["TotalsByCurrency"];
            /** @description Date and time without a zone; null or absent while in progress. */
            completionTime?: string | null;
            successfulTransferItems?: number;
            failedTransferItems?: number;
            transfers: components["schemas"]["BatchItems"];
        };
        BatchItems: {
            items: components["schemas"]["BatchItem"][];
            size: number;
            lastEvaluatedKey?: components["schemas"]["BatchItemKey"];
        };
        BatchItem: {
            id: components["schemas"]["BatchId"];
            status: components["schemas"]["TransferState"];
            /** @enum {string} */
            type: "A2A";
            fromId: components["schemas"]["NumericId"];
            toId: components["schemas"]["NumericId"];
            amount: components["schemas"]["DecimalAmount"];
            currency: components["schemas"]["Currency"];
            creditTransaction?: components["schemas"]["TransferPosting"];
            debitTransaction?: components["schemas"]["TransferPosting"];
            reversalTransaction?: components["schemas"]["TransferPosting"];
        };
        TransferPosting: {
            id?: string | null;
            errorMessage?: string | null;
        } | null;
        WalletARequest: {
            /** @description X.509 in DER, the leaf first. */
            certificates: string[];
            nonce: string;
            /** @description Lower-case hex. */
            nonceSignature: string;
        };
        WalletAPayload: {
            activationData: string;
            encryptedPassData: string;
            /** @description Base64 or hex, by card network. */
            ephemeralPublicKey: string;
        };
        WalletClientApp: string;
        WalletClientId: string;
        WalletBRequest: {
            clientAppID: components["schemas"]["WalletClientApp"];
            clientDeviceID: components["schemas"]["WalletClientId"];
            clientWalletAccountID: components["schemas"]["WalletClientId"];
            /** @description Absent means false. */
            opaquePaymentCardRequested?: boolean;
            /**
             * Format: uuid
             * @description Needed with opaquePaymentCardRequested.
             */
            serverSessionId?: string;
        };
        WalletBPayload: {
            /** @description Base64 of JSON. */
            digitizationData: string;
            /** @description Only when it was asked for. */
            opaquePaymentCard?: string;
        };
        WalletCRequest: {
            clientAppID: components["schemas"]["WalletClientApp"];
            clientDeviceID: components["schemas"]["WalletClientId"];
            clientWalletAccountID: components["schemas"]["WalletClientId"];
        };
        WalletCPayload: {
            /** @description Base64 of JSON. */
            digitizationData: string;
        };
        DigitizationPayload: {
            /** @description Base64 of JSON. */
            digitizationData: string;
        };
        CustomerBid: string;
        CardOverrides: {
            addressLine1?: string;
            addressLine2?: string;
            addressLine3?: string;
            city?: string;
            postalCode?: string;
            country?: components["schemas"]["Country"];
        };
        CustomerOverrides: {
            emails?: string[];
            phones?: string[];
        };
        EnrolCustomer: {
            /** @description Exactly one, in an array. */
            cardId: components["schemas"]["NumericId"][];
            customerBID: components["schemas"]["CustomerBid"];
            overrides?: components["schemas"]["CustomerOverrides"];
            cardOverrides?: components["schemas"]["CardOverrides"];
        };
        EnrolCard: {
            customerBID: components["schemas"]["CustomerBid"];
            cardOverrides?: components["schemas"]["CardOverrides"];
        };
        BidOnly: {
            customerBID: components["schemas"]["CustomerBid"];
        };
        UpdateEnrolledCard: {
            customerBID: components["schemas"]["CustomerBid"];
            cardOverrides: components["schemas"]["CardOverrides"];
        };
        UpdateEnrolledCustomerStatus: {
            customerBID: components["schemas"]["CustomerBid"];
            active: boolean;
        };
        UpdateEnrolledCustomer: {
            customerBID: components["schemas"]["CustomerBid"];
            overrides: components["schemas"]["CustomerOverrides"];
        };
        RequestTrace: {
            requestTraceId: string;
        };
        RemoteCheckoutCustomer: {
            customerInformation: {
                email?: string[];
                phone?: string[];
                locale?: string | null;
                firstName?: string | null;
                middleName?: string | null;
                lastName?: string | null;
                countryCode?: string | null;
                status?: string | null;
            };
            paymentInstruments: {
                cardId: components["schemas"]["NumericId"];
                status?: string | null;
                nameOnCard?: string | null;
                tokenDetails?: {
                    tokenReferenceID?: string | null;
                    tokenRequestorID?: string | null;
                } | null;
                billingAddress?: {
                    country?: string | null;
                } | null;
            }[];
        };
        TraceStatus: {
            /** @enum {string} */
            status: "IN_PROGRESS" | "COMPLETED";
            details?: {
                /** @enum {string} */
                status: "SUCCESS" | "FAILED";
                errorDetails?: {
                    field?: string | null;
                    reason?: string | null;
                    message?: string | null;
                }[] | null;
            } | null;
        };
        WarmUpCall: {
            type: string;
            timestamp: string;
        };
        AuthCall: {
            metadata: components["schemas"]["AuthMetadata"];
            customer: {
                customerId?: components["schemas"]["NumericId"];
            };
            account: {
                accountId: components["schemas"]["NumericId"];
                availableAmount?: components["schemas"]["Amount"];
            };
            card: {
                cardId: components["schemas"]["NumericId"];
                expiration?: components["schemas"]["YearAndMonth"];
            };
            transactionData: components["schemas"]["TransactionData"];
            merchantData: components["schemas"]["MerchantData"];
            token?: {
                id?: string | null;
                walletIdentifier?: string | null;
            } | null;
        };
        AuthMetadata: {
            id: string;
            traceId?: string | null;
            transactionId?: string | null;
            linkId?: string | null;
            messageCategory?: string;
        };
        NullableAmount: {
            amount: components["schemas"]["DecimalAmount"];
            currency: components["schemas"]["Currency"];
        } | null;
        TransactionData: {
            transactionType: string;
            transactionAmount?: components["schemas"]["NullableAmount"];
            settlementAmount?: components["schemas"]["NullableAmount"];
            billingAmount?: components["schemas"]["NullableAmount"];
            cardEntryMode?: string | null;
            cardholderPresent?: boolean | null;
            cardPresent?: boolean | null;
            merchantInitiated?: boolean | null;
            replacementAmount?: components["schemas"]["NullableAmount"];
            cashbackAmount?: components["schemas"]["NullableAmount"];
            originalTransactionId?: string | null;
            schemeTransactionLinkId?: string | null;
            cardholderVerifications?: string[] | null;
            transactionFees?: {
                feeType?: string | null;
                feeAmount?: components["schemas"]["NullableAmount"];
            }[] | null;
            transactionDateTime?: string | null;
            authCode?: string | null;
            authValidityInDays?: number | null;
            retrievalReferenceNumber?: string | null;
            partialApprovalCapable?: boolean | null;
        };
        MerchantData: {
            id?: string | null;
            name?: string | null;
            city?: string | null;
            /** @description ISO 3166-1, alpha-3. */
            country?: string | null;
            merchantZipCode?: string | null;
            category?: {
                /** @description Merchant category code (ISO 18245), four digits. */
                code?: string | null;
                description?: string | null;
            } | null;
            terminalId?: string | null;
            acquirerId?: string | null;
            /** @description ISO 3166-1, alpha-3. */
            acquirerCountry?: string | null;
        };
        AuthReply: {
            transactionData: components["schemas"]["AuthDecision"];
        };
        AuthDecision: {
            authResponseCode: {
                code: components["schemas"]["AuthResponseCode"];
            };
            partialApprovalAmount?: components["schemas"]["Amount"];
            availableAmount?: components["schemas"]["Amount"];
        };
        AuthResponseCode: string;
        SandboxInfo: {
            name: string;
            version: string;
            now: components["schemas"]["UtcDateTime"];
            /** @description What behaves as the service does, a sentence each. */
            simulated: string[];
            /** @description What doesn't, a sentence each. */
            notSimulated: string[];
        } & {
            [key: string]: unknown;
        };
        SandboxReset: {
            description: string;
        };
        SandboxClock: {
            now: components["schemas"]["UtcDateTime"];
            /** @description How far the sandbox's clock is ahead of the machine's, in milliseconds. */
            offsetMs: number;
        };
        SandboxClockAdvance: {
            /** @description Milliseconds, at most ten years at once. */
            advanceMs: number;
        };
        SandboxState: {
            id: string;
            referenceNumber?: string;
        } & {
            [key: string]: unknown;
        };
        SandboxStatePatch: {
            [key: string]: unknown;
        };
        /** @description Values that members of the request must have, by path:NAME, query:NAME or a JSON pointer into the body. */
        SandboxFaultMatch: {
            [key: string]: string | number | boolean | null;
        };
        SandboxFaultAdd: {
            /** @description An operationId, or a beginning of some with a star at its end; absent, every one but the sandbox's. */
            operation?: string;
            match?: components["schemas"]["SandboxFaultMatch"];
            status?: number;
            delayMs?: number;
            /**
             * @description Close the connection without an answer, before the effect or after it.
             * @enum {string}
             */
            drop?: "before" | "after";
            probability?: number;
            /** @description How many times it strikes; absent, without end. */
            count?: number;
            /** @description Members that replace those of the problem that goes with status. */
            problem?: {
                [key: string]: unknown;
            };
        };
        SandboxFault: {
            id: string;
            operation: string | null;
            match: components["schemas"]["SandboxFaultMatch"];
            status: number | null;
            delayMs: number;
            /** @enum {string|null} */
            drop: "before" | "after" | null;
            probability: number;
            /** @description How many times it may still strike; null without end. */
            remaining: number | null;
            /** @description How many times it struck. */
            struck: number;
            problem?: {
                [key: string]: unknown;
            } | null;
        };
        SandboxFaultsCleared: {
            description: string;
            cleared: number;
        };
        SandboxAuthorise: {
            cardId: components["schemas"]["NumericId"];
            /** @description 0 verifies the account and makes no hold. */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description A name of the library of scenarios; contactless retail when absent. */
            scenario?: string;
            /** @enum {string} */
            messageCategory?: "INITIAL_AUTHORIZATION" | "INCREMENTAL_AUTHORIZATION" | "BALANCE_INQUIRY" | "PIN_MANAGEMENT";
            /** @description Of an earlier authorisation, to raise its hold. */
            transactionId?: string;
            merchant?: {
                id?: string | null;
                name?: string | null;
                city?: string | null;
                /** @description ISO 3166-1, alpha-3. */
                country?: string | null;
                merchantZipCode?: string | null;
                category?: {
                    /** @description Merchant category code (ISO 18245), four digits. */
                    code?: string | null;
                    description?: string | null;
                } | null;
                terminalId?: string | null;
                acquirerId?: string | null;
                /** @description ISO 3166-1, alpha-3. */
                acquirerCountry?: string | null;
            };
            transactionData?: {
                transactionType?: string;
                transactionAmount?: components["schemas"]["NullableAmount"];
                settlementAmount?: components["schemas"]["NullableAmount"];
                billingAmount?: components["schemas"]["NullableAmount"];
                cardEntryMode?: string | null;
                cardholderPresent?: boolean | null;
                cardPresent?: boolean | null;
                merchantInitiated?: boolean | null;
                replacementAmount?: components["schemas"]["NullableAmount"];
                cashbackAmount?: components["schemas"]["NullableAmount"];
                originalTransactionId?: string | null;
                schemeTransactionLinkId?: string | null;
                cardholderVerifications?: string[] | null;
                transactionFees?: {
                    feeType?: string | null;
                    feeAmount?: components["schemas"]["NullableAmount"];
                }[] | null;
                transactionDateTime?: string | null;
                authCode?: string | null;
                authValidityInDays?: number | null;
                retrievalReferenceNumber?: string | null;
                partialApprovalCapable?: boolean | null;
            };
            /** @description The cardholder's PIN was wrong; counts a try. */
            wrongPin?: boolean;
            token?: {
                id?: string;
                walletIdentifier?: string;
            };
        };
        SandboxAuthorisation: {
            id: string;
            /** @description Shared with its increments. */
            transactionId: string;
            cardId: string;
            accountId: string | null;
            /**
             * @description PENDING while the client's webhook is asked.
             * @enum {string}
             */
            status: "PENDING" | "APPROVED" | "DECLINED" | "PARTIALLY_APPROVED";
            /** @description ISO 8583 data element 39; null while the client's webhook is asked. */
            responseCode: string | null;
            /**
             * @description The service's own rules, the client's webhook, or the fallback when it gave no valid answer in time.
             * @enum {string|null}
             */
            decidedBy: "service" | "client" | "fallback" | null;
            reason: string;
            /** @description What the decision took. */
            durationMs: number;
            /** @description What the client's webhook took of it; null when it wasn't asked. */
            clientDurationMs?: number | null;
            scenario?: string | null;
            messageCategory: string;
            transactionType: string;
            merchantName?: string | null;
            amount: components["schemas"]["DecimalAmount"];
            currency: components["schemas"]["Currency"];
            approvedAmount?: components["schemas"]["NullableAmount"];
            clearedAmount?: components["schemas"]["NullableAmount"];
            hold: components["schemas"]["NullableAmount"];
            /** @enum {string|null} */
            holdStatus?: "HELD" | "CLEARED" | "REVERSED" | "RELEASED" | null;
            /** Format: date-time */
            holdUntil?: string | null;
            availableAmount: components["schemas"]["NullableAmount"];
            createdAt: components["schemas"]["UtcDateTime"];
            reversals?: components["schemas"]["SandboxReversalEntry"][];
            clearings?: components["schemas"]["SandboxClearing"][];
        };
        SandboxReversal: {
            /** @description What the hold becomes, in the currency of the purchase; absent, all of it is reversed. */
            replacementAmount?: number;
        };
        SandboxReversalEntry: {
            at: components["schemas"]["UtcDateTime"];
            /** @description What was given back. */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description How the client's webhook took it, which changes nothing; null where there is none. */
            clientAnswer?: string | null;
        };
        SandboxClear: {
            /** @description May be under or over the hold; absent, what is held. */
            amount?: number;
            /** @description With true the rest of the hold is released; with false more clearings follow. */
            final?: boolean;
        };
        SandboxClearingCreate: {
            cardId: components["schemas"]["NumericId"];
            amount: number;
            currency: components["schemas"]["Currency"];
            merchant?: {
                id?: string | null;
                name?: string | null;
                city?: string | null;
                /** @description ISO 3166-1, alpha-3. */
                country?: string | null;
                merchantZipCode?: string | null;
                category?: {
                    /** @description Merchant category code (ISO 18245), four digits. */
                    code?: string | null;
                    description?: string | null;
                } | null;
                terminalId?: string | null;
                acquirerId?: string | null;
                /** @description ISO 3166-1, alpha-3. */
                acquirerCountry?: string | null;
            };
        };
        SandboxClearing: {
            id: string;
            authorisationId: string | null;
            cardId: string;
            accountId: string | null;
            /** @enum {string} */
            status: "POSTED" | "REFUSED";
            reason: string | null;
            amount: components["schemas"]["DecimalAmount"];
            currency: components["schemas"]["Currency"];
            postedAmount: components["schemas"]["NullableAmount"];
            merchantName?: string | null;
            availableAmount: components["schemas"]["NullableAmount"];
            createdAt: components["schemas"]["UtcDateTime"];
        };
    };
    responses: {
        /** @description No or wrong credentials. It has no body. */
        Unauthorised: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Refused or failed (RFC 9457). */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description What was done. */
        Updated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Confirmation"];
            };
        };
        /** @description What was done. */
        AccountUpdated: {
            headers: {
                "x-idempotent-replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Confirmation"];
            };
        };
        /** @description The PIN, enciphered. */
        PinViewV2: {
            headers: {
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PinView"];
            };
        };
        /** @description The PIN, enciphered. */
        PinViewV3: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PinView"];
            };
        };
        /** @description The key for the PIN block, enciphered. */
        PinTzpkV2: {
            headers: {
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PinTzpk"];
            };
        };
        /** @description The key for the PIN block, enciphered. */
        PinTzpkV3: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PinTzpk"];
            };
        };
        /** @description The PIN is set. */
        PinSetV2: {
            headers: {
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        /** @description The PIN is set. */
        PinSetV3: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        /** @description Taken; it ends later. */
        TraceAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTrace"];
            };
        };
    };
    parameters: {
        Id: components["schemas"]["PathId"];
        CardId: components["schemas"]["PathId"];
        CustomerId: components["schemas"]["PathId"];
        AccountId: components["schemas"]["PathId"];
        PlasticId: components["schemas"]["PathId"];
        /** @description Reference number of the card. */
        RefNumber: components["schemas"]["PathId"];
        /** @description The requestTraceId of an earlier call. */
        TraceId: components["schemas"]["PathId"];
        /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
        WalletCardId: string;
        WalletProvider: components["schemas"]["PathId"];
        /** @description The account type segment. */
        MultiCurr: string;
        /** @description WRITE_OFF is for credit accounts only; IMMEDIATE_ACCOUNT_CLOSE needs a balance of zero. */
        PropertyToUpdate: "DELETE_ADDRESS" | "DELETE_EINVOICE_ADDRESS_AND_OPERATOR" | "WRITE_OFF" | "IMMEDIATE_ACCOUNT_CLOSE";
        /** @description Who acts, in free text; the service logs it. */
        AuditUser: string;
        /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
        IdempotencyKey: string;
        /** @description Counts from 0. */
        Page: number;
        PageSize: number;
        BatchPageSize: number;
        /** @description The lastEvaluatedKey of the page before. */
        BatchListStartKey: components["schemas"]["BatchListKey"];
        /** @description The lastEvaluatedKey of the page before. */
        BatchItemStartKey: components["schemas"]["BatchItemKey"];
        WarmUp: "true";
        StateKind: "account" | "balance" | "card" | "plastic" | "pricelist" | "period" | "batch" | "enrolment" | "customer";
        /** @description Only the authorisations of this card. */
        AuthorisationCardId: components["schemas"]["PathId"];
    };
    requestBodies: never;
    headers: {
        /** @description When the operation was deprecated (RFC 9745), as `@` and seconds since 1970. */
        Deprecation: string;
        /** @description `true` on a stored reply that is given again. */
        IdempotentReplayed: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "cards.get.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardV3"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.patch.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatchV3"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.get.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardV4"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.getByNumber.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardNumberQuery"];
            };
        };
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardV4"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.getByReference.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                /** @description Reference number of the card. */
                refNumber: components["parameters"]["RefNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardV4"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.listByCustomer.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
                /** @description Counts from 0. */
                page?: components["parameters"]["Page"];
                size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of cards; a page shorter than asked for is the last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardSummaryV4"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.listByAccount.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
                /** @description Counts from 0. */
                page?: components["parameters"]["Page"];
                size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of cards; a page shorter than asked for is the last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardSummaryV4"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.listByCustomer.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
                /** @description Counts from 0. */
                page?: components["parameters"]["Page"];
                size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of cards; a page shorter than asked for is the last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardSummaryV3"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.listByAccount.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
                /** @description Counts from 0. */
                page?: components["parameters"]["Page"];
                size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of cards; a page shorter than asked for is the last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardSummaryV3"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.paymentInfo.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentInfoRequest"];
            };
        };
        responses: {
            /** @description Only the members asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentInfo"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.controlToken.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A token that lives 30 seconds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardControlToken"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "cards.plastics.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plastics of the card. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plastic"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pin.view.v2": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["PinViewV2"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pin.tzpk.v2": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["PinTzpkV2"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pin.set.v2": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinSetRequest"];
            };
        };
        responses: {
            200: components["responses"]["PinSetV2"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pin.view.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["PinViewV3"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pin.tzpk.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinKeyRequest"];
            };
        };
        responses: {
            200: components["responses"]["PinTzpkV3"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pin.set.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinSetRequest"];
            };
        };
        responses: {
            200: components["responses"]["PinSetV3"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pincontrol.create.v2": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                plasticId: components["parameters"]["PlasticId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinControlRequest"];
            };
        };
        responses: {
            /** @description The control id; it lives 30 seconds. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PinControl"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.patchCredit.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatchCredit"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.patchCreditReminder.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditReminderPatch"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.patchDebit.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatchDebit"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.patchPrepaid.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatchPrepaid"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.patchFleet.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatchFleet"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.patchMulticurrency.v4": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The account type segment. */
                multiCurr: components["parameters"]["MultiCurr"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatchMulticurrency"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "accounts.updateProperty.v3": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: {
                /** @description Made by the client. A success and its reply are kept for 24 hours under it; an error is not kept. */
                "x-idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
                /** @description WRITE_OFF is for credit accounts only; IMMEDIATE_ACCOUNT_CLOSE needs a balance of zero. */
                propertyToUpdate: components["parameters"]["PropertyToUpdate"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AnyJson"];
            };
        };
        responses: {
            200: components["responses"]["AccountUpdated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pricelists.delete.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Updated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pricelists.patch.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceListPatch"];
            };
        };
        responses: {
            200: components["responses"]["Updated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pricelists.deletePeriod.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Updated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "pricelists.patchPeriod.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PricePeriodPatch"];
            };
        };
        responses: {
            200: components["responses"]["Updated"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "a2a.list.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
                size?: components["parameters"]["BatchPageSize"];
                /** @description The lastEvaluatedKey of the page before. */
                exclusiveStartKey?: components["parameters"]["BatchListStartKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of batches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchList"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "a2a.create.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchCreate"];
            };
        };
        responses: {
            /** @description The batch, in progress. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "a2a.get.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
                size?: components["parameters"]["BatchPageSize"];
                /** @description The lastEvaluatedKey of the page before. */
                exclusiveStartKey?: components["parameters"]["BatchItemStartKey"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch and one page of its items. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchWithItems"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "a2a.status.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchStatusReply"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "wallets.provisionA.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletARequest"];
            };
        };
        responses: {
            /** @description What the wallet on the device needs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAPayload"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "wallets.provisionB.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletBRequest"];
            };
        };
        responses: {
            /** @description What the wallet on the device needs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletBPayload"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "wallets.provisionC.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletCRequest"];
            };
        };
        responses: {
            /** @description What the wallet on the device needs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletCPayload"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "wallets.provisionIssuer.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                /** @description An int64. -1 to -6 stand for the wallet vendor's own test cards. */
                cardId: components["parameters"]["WalletCardId"];
                walletProvider: components["parameters"]["WalletProvider"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the wallet on the device needs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DigitizationPayload"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.enrollCustomer.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolCustomer"];
            };
        };
        responses: {
            202: components["responses"]["TraceAccepted"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.enrollCard.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolCard"];
            };
        };
        responses: {
            202: components["responses"]["TraceAccepted"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.getCustomer.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BidOnly"];
            };
        };
        responses: {
            /** @description The customer, at once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoteCheckoutCustomer"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.deleteCard.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BidOnly"];
            };
        };
        responses: {
            202: components["responses"]["TraceAccepted"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.deleteCustomer.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BidOnly"];
            };
        };
        responses: {
            202: components["responses"]["TraceAccepted"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.updateCard.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                cardId: components["parameters"]["CardId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEnrolledCard"];
            };
        };
        responses: {
            202: components["responses"]["TraceAccepted"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.updateCustomerStatus.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEnrolledCustomerStatus"];
            };
        };
        responses: {
            202: components["responses"]["TraceAccepted"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.updateCustomer.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                customerId: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEnrolledCustomer"];
            };
        };
        responses: {
            202: components["responses"]["TraceAccepted"];
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "remotecheckout.status.v1": {
        parameters: {
            query: {
                /** @description Who acts, in free text; the service logs it. */
                auditUser: components["parameters"]["AuditUser"];
            };
            header?: never;
            path: {
                /** @description The requestTraceId of an earlier call. */
                traceId: components["parameters"]["TraceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description COMPLETED is not success; read details.status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceStatus"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description About the sandbox. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxInfo"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The demo data is back. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxReset"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.clock.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.clock.advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxClockAdvance"];
            };
        };
        responses: {
            /** @description The clock after the move. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.state.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["parameters"]["StateKind"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All things of the kind, by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxState"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.state.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["parameters"]["StateKind"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxState"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.state.set": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["parameters"]["StateKind"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxStatePatch"];
            };
        };
        responses: {
            /** @description The thing after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxState"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.faults.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults, in the order they are tried. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFault"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.faults.add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxFaultAdd"];
            };
        };
        responses: {
            /** @description The fault. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFault"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.faults.clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults are gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFaultsCleared"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.authorisations.list": {
        parameters: {
            query?: {
                /** @description Only the authorisations of this card. */
                cardId?: components["parameters"]["AuthorisationCardId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authorisations, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAuthorisation"][];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.authorisations.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxAuthorise"];
            };
        };
        responses: {
            /** @description The authorisation, approved or not. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAuthorisation"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.authorisations.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authorisation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAuthorisation"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.authorisations.reverse": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxReversal"];
            };
        };
        responses: {
            /** @description The authorisation after the reversal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAuthorisation"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.authorisations.clear": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxClear"];
            };
        };
        responses: {
            /** @description The clearing. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClearing"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "sandbox.clearings.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxClearingCreate"];
            };
        };
        responses: {
            /** @description The clearing. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClearing"];
                };
            };
            401: components["responses"]["Unauthorised"];
            default: components["responses"]["Problem"];
        };
    };
    "webhook.warmUp": {
        parameters: {
            query?: never;
            header: {
                "X-WarmUp": components["parameters"]["WarmUp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WarmUpCall"];
            };
        };
        responses: {
            /** @description Connection is open. A body is ignored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    "webhook.auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthCall"];
            };
        };
        responses: {
            /** @description The decision, approved or declined. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthReply"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
}
