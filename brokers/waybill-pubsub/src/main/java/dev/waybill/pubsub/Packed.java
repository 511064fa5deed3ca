package dev.waybill.pubsub;

import com.google.pubsub.v1.PublishRequest;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages packed into a request.
 *
 * @param fit the messages in it, in order
 * @param unfit messages that do not fit, with their answers
 */
record Packed(PublishRequest request, List<Place> fit, Map<Place, Delivery> unfit) {

    /**
     * @param project of the topic, unless its name is given in full
     */
    static Packed of(List<Place> places, String topic, String project) {
        PublishRequest.Builder request = PublishRequest.newBuilder().setTopic(Names.topic(project, topic));
        List<Place> fit = new ArrayList<>(places.size());
        Map<Place, Delivery> unfit = new HashMap<>();
        for (Place place : places) {
            PreparedMessage prepared = PreparedMessage.of(place.message());
            if (prepared instanceof PreparedMessage.Fit good) {
                request.addMessages(good.message());
                fit.add(place);
            } else if (prepared instanceof PreparedMessage.Unfit bad) {
                unfit.put(place, bad.why());
            }
        }
        return new Packed(request.build(), fit, unfit);
    }
}
